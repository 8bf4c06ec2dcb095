"""How far a solution of a quadratic program is from keeping its bounds."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dot

ROUNDING = 1e-3  # [-] of a bound, that counts as much as a row's length


@kernel
def missed_bound(rows: Array, lower: Array, upper: Array, x: Array) -> float:
    """Return the most by which x misses a bound, in parts of `1 + |row| + 0.001 |bound|`.

    Args:
        rows: `(m, n)` R.
        lower: `(n + m,)` of x and then of R x.
        upper: Likewise.
        x: `(n,)`.
    """
    n, most = len(x), 0.0
    for i in range(len(lower)):
        reached = x[i] if i < n else dot(rows[i - n], x)
        if reached > upper[i]:
            excess, bound = reached - upper[i], upper[i]
        elif reached < lower[i]:
            excess, bound = lower[i] - reached, lower[i]
        else:
            continue
        length = 1.0 if i < n else math.sqrt(dot(rows[i - n], rows[i - n]))
        most = max(most, excess / (1.0 + length + ROUNDING * abs(bound)))
    return most
