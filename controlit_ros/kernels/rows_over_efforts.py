"""Rows over accelerations, as rows over the efforts that cause these."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import multiply

NO_EFFECT = 1e-9  # [-] of what a row is over accelerations: efforts that do less change nothing


@kernel
def rows_over_efforts(own: Array, effect: Array, still: Array, rows: Array, upper: Array) -> None:
    """Write what rows `A v̇ ≤ b` are with `v̇ = E τ − s`: `A E τ ≤ b + A s`.

    Args:
        own: `(k, nv)` A.
        effect: `(nv, na)` E.
        still: `(nv,)` s.
        rows: `(k, na)` result.
        upper: `(k,)` b, then the result; infinite where no effort changes anything.
    """
    multiply(own, effect, rows)
    for i in range(len(own)):
        given, left = 0.0, 0.0
        for k in range(own.shape[1]):
            upper[i] += own[i, k] * still[k]
            given = max(given, abs(own[i, k]))
        for k in range(rows.shape[1]):
            left = max(left, abs(rows[i, k]))
        if left <= NO_EFFECT * given:
            upper[i] = math.inf
