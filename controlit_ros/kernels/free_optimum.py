"""The optimum of a quadratic program whose bounds hold nothing back."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import copy, dense, dot, factor

SINGULAR = 1e-11  # [-] of a diagonal element; what elimination leaves of it is not rounding


@kernel
def free_optimum(
    hessian: Array,
    gradient: Array,
    rows: Array,
    lower: Array,
    upper: Array,
    work: Array,
    x: Array,
) -> bool:
    """Write `−H⁻¹ g` if it keeps the bounds; then it is the optimum, and nobody need seek it.

    Args:
        hessian: `(n, n)` H.
        gradient: `(n,)` g.
        rows: `(m, n)` R.
        lower: `(n + m,)` of x and then of R x.
        upper: Likewise.
        work: `(n, n)` scratch.
        x: `(n,)` result; anything where it is not the optimum.

    Returns:
        Whether it does; not where H is nearly singular, or anything is no number.
    """
    n = len(x)
    if not least(hessian, gradient, n, SINGULAR, work, x):
        return False
    for i in range(len(lower)):
        reached = x[i] if i < n else dot(rows[i - n], x)
        if not (abs(reached) < math.inf and lower[i] <= reached <= upper[i]):
            return False
    return True


@kernel
def least(
    hessian: Array, gradient: Array, rank: int, singular: float, work: Array, found: Array
) -> bool:
    """Write `−H⁻¹ g` of the first coordinates; false where H is not positive definite.

    Args:
        hessian: `(rank or more, rank or more)` H.
        gradient: `(rank or more,)` g.
        rank: How many coordinates.
        singular: Part of a diagonal element that must be left of it.
        work: `(rank or more, rank or more)` scratch.
        found: `(rank,)` result.
    """
    L = dense(work, rank, rank)
    copy(hessian[:rank, :rank], L)
    if not factor(L):
        return False
    for i in range(rank):
        if not L[i, i] * L[i, i] >= singular * hessian[i, i]:
            return False
    for i in range(rank - 1, -1, -1):  # Lᵀ y = −g
        total = -gradient[i]
        for k in range(i + 1, rank):
            total -= L[k, i] * found[k]
        found[i] = total / L[i, i]
    for i in range(rank):  # L z = y
        for k in range(i):
            found[i] -= L[i, k] * found[k]
        found[i] /= L[i, i]
    return True
