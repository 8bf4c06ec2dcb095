"""A quadratic program with a diagonal of ones, and what comes of it in the given units."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel, summing_kernel
from controlit_ros.kernels.missed_bound import missed_bound

READY, ENDLESS, CROSSED, COSTLESS = range(4)
"""What `scale_program` finds: a problem; what is no number; a lower bound above its upper one; a
diagonal that is not above zero."""


@kernel
def scale_program(
    hessian: Array,
    gradient: Array,
    rows: Array,
    lower: Array,
    upper: Array,
    infinity: float,
    size: Array,
    own_hessian: Array,
    own_gradient: Array,
    own_rows: Array,
    own_lower: Array,
    own_upper: Array,
) -> int:
    """Write the problem of `y = x / d` with `d = 1/√diag H`; `½ yᵀ H' y + g'ᵀ y`, `R' y`.

    Joints of very different inertia make an H that solvers take for singular; the diagonal of this
    one is 1.

    Args:
        hessian: `(n, n)` H.
        gradient: `(n,)` g.
        rows: `(m, n)` R.
        lower: `(n + m,)` of x and then of R x.
        upper: Likewise.
        infinity: What takes the place of an infinite bound, or of one beyond it.
        size: `(n,)` result d.
        own_hessian: `(n, n)` result.
        own_gradient: `(n,)` result.
        own_rows: `(m, n)` result.
        own_lower: `(n + m,)` result.
        own_upper: `(n + m,)` result.

    Returns:
        `READY`, or why nothing, or not all, was written.
    """
    n = len(gradient)
    if not (_square(hessian) + _square(rows) + gradient.dot(gradient)) < math.inf:
        return ENDLESS
    crossed = False
    for i in range(len(lower)):
        if math.isnan(lower[i]) or math.isnan(upper[i]):
            return ENDLESS
        crossed = crossed or lower[i] > upper[i]
    if crossed:
        return CROSSED
    for i in range(n):
        if not hessian[i, i] > 0.0:
            return COSTLESS
        size[i] = 1.0 / math.sqrt(hessian[i, i])
    for i in range(n):
        own_gradient[i] = gradient[i] * size[i]
        own_lower[i] = max(lower[i] / size[i], -infinity)
        own_upper[i] = min(upper[i] / size[i], infinity)
        for k in range(n):
            own_hessian[i, k] = hessian[i, k] * size[k] * size[i]
    for i in range(rows.shape[0]):
        own_lower[n + i] = max(lower[n + i], -infinity)
        own_upper[n + i] = min(upper[n + i], infinity)
        for k in range(n):
            own_rows[i, k] = rows[i, k] * size[k]
    return READY


@kernel
def scale_back(
    own_solution: Array,
    own_multipliers: Array,
    size: Array,
    rows: Array,
    lower: Array,
    upper: Array,
    solution: Array,
    multipliers: Array,
) -> float:
    """Write x and λ of the given problem; return by how much x misses a bound, see `missed_bound`.

    Args:
        own_solution: `(n,)` of the scaled problem.
        own_multipliers: `(n + m,)` likewise.
        size: `(n,)` d.
        rows: `(m, n)` R of the given problem.
        lower: `(n + m,)`.
        upper: Likewise.
        solution: `(n,)` result.
        multipliers: `(n + m,)` result.
    """
    n = len(size)
    for i in range(n):
        solution[i] = own_solution[i] * size[i]
        multipliers[i] = own_multipliers[i] / size[i]
    for i in range(n, len(multipliers)):
        multipliers[i] = own_multipliers[i]
    return missed_bound(rows, lower, upper, solution)


@summing_kernel
def _square(values: Array) -> float:
    """Return the sum of the squares."""
    total = 0.0
    for i in range(values.shape[0]):
        for k in range(values.shape[1]):
            total += values[i, k] * values[i, k]
    return total
