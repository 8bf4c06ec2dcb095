"""Rows of a matrix that are independent, and an orthonormal basis of what they span."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel, summing_kernel
from controlit_ros.kernels.dense import dot, multiply, take

# Lengths, as parts of what a row was. What rounding leaves of dependent rows lies far below the
# first, what the lightest link that a model may have (`SINGULAR_INERTIA`) leaves far above it.
ROUNDING = 1e-9  # [-]
NOISE = 1e-13  # [m/rad, -] what a Jacobian of a body that does not move may hold of rounding
LOST = 1e-3  # [-] what a task has no more of in a direction, it gives up
MUCH_LEFT = 0.1  # [-] a projection that leaves more loses a digit at most
SURE = 0.1  # [-] a difference of squares that leaves more loses a digit at most
NOT_FINITE = -1


@summing_kernel
def independent_rows(
    rows: Array,
    duals: Array,
    metric: Array,
    whole: Array,
    size: Array,
    reach: Array,
    reach_size: Array,
    used: int,
    basis: Array,
    dual_basis: Array,
    coefficients: Array,
    order: Array,
    left: Array,
) -> int:
    """Find C and orthonormal rows B with `M = C B` for the rows of M, but for what is neglected.

    By Gram and Schmidt, always with the row of which most is left as a part of `size`. Nothing is
    squared, no two rows are compared, and so no unit matters. A row of which no more than
    `ROUNDING` is left of the `whole` is dependent. With a `reach` R, so is one of which less than
    `LOST` is left of its size, and less than `LOST` of `reach_size` in R: a motion that is hard to
    cause, since much inertia goes with it, is no motion that cannot be caused.

    Args:
        rows: `(m, n)` M; overwritten.
        duals: `(m, n)` the rows times the metric; overwritten. For the identity the same array as
            the rows.
        metric: `(n, n)` in which B is orthonormal, or `(0, 0)` for the identity.
        whole: `(m,)` what rounding is a part of.
        size: `(m,)`.
        reach: `(k, n)` R, or `(0, n)`.
        reach_size: `(m,)`.
        used: Rows of the basis there are already, orthogonal to M.
        basis: `(n or more, n)` where B is appended.
        dual_basis: Likewise, B times the metric; for the identity the same array as the basis.
        coefficients: `(m, m)` result, C in its first `rank` columns.
        order: `(m,)` result, the `rank` rows of M in the order in which they were taken, then the
            others.
        left: `(m,)` scratch.

    Returns:
        The rank; `NOT_FINITE` if the rows are not.
    """
    m, n = rows.shape
    is_oblique = metric.shape[0] > 0
    for i in range(m):
        left[i] = dot(rows[i], duals[i])
        for j in range(m):
            coefficients[i, j] = 0.0
        if not left[i] < math.inf:
            return NOT_FINITE
    rank, pivot = 0, _largest(left, whole, size)
    while rank < m and used + rank < n and pivot >= 0:
        if left[pivot] < (LOST * size[pivot]) ** 2 and reach.shape[0] > 0:
            for i in range(m):
                if left[i] > 0.0:
                    _refine(rows, duals, metric, i, used, rank, basis, dual_basis, coefficients)
                    left[i] = max(dot(rows[i], duals[i]), 0.0)
            pivot = _reachable(rows, left, whole, size, reach, reach_size)
            if pivot < 0:
                break
        elif left[pivot] < (MUCH_LEFT * size[pivot]) ** 2:
            before = left[pivot]
            _refine(rows, duals, metric, pivot, used, rank, basis, dual_basis, coefficients)
            left[pivot] = max(dot(rows[pivot], duals[pivot]), 0.0)
            if left[pivot] < 0.5 * before:
                pivot = _largest(left, whole, size)
                continue
        length = math.sqrt(left[pivot])
        left[pivot] = -math.inf
        order[rank] = pivot
        coefficients[pivot, rank] = length
        new = used + rank
        for k in range(n):
            basis[new, k] = rows[pivot, k] / length
        if is_oblique:
            for k in range(n):
                dual_basis[new, k] = duals[pivot, k] / length
        pivot, most = -1, 0.0
        for i in range(m):
            if not left[i] >= 0.0:
                continue
            along = dot(rows[i], dual_basis[new])
            if along != 0.0:  # or they move different branches of the robot
                take(rows[i], along, basis[new])
                if is_oblique:
                    take(duals[i], along, dual_basis[new])
                coefficients[i, rank] = along
                rest = left[i] - along * along
                if rest < SURE * left[i]:  # a difference of what is much larger
                    rest = max(dot(rows[i], duals[i]), 0.0)
                left[i] = rest
            if _is_more(left[i], whole[i], size[i], most):
                pivot, most = i, left[i] / size[i] ** 2
        rank += 1
    _append_others(left[:m], rank, order)
    return rank


@summing_kernel
def _append_others(left: Array, rank: int, order: Array) -> None:
    """Write the rows that were not taken after those that were."""
    for i in range(len(left)):
        if left[i] != -math.inf:
            order[rank] = i
            rank += 1


@kernel
def _is_more(left: float, whole: float, size: float, most: float) -> bool:
    """Tell whether what is left of a row is more than rounding, and a larger part than the most."""
    return left > (ROUNDING * whole) ** 2 and left > most * size**2


@summing_kernel
def _largest(left: Array, whole: Array, size: Array) -> int:
    """Return the row of which most is left and more than rounding, or -1."""
    pivot, most = -1, 0.0
    for i in range(len(whole)):
        if _is_more(left[i], whole[i], size[i], most):
            pivot, most = i, left[i] / size[i] ** 2
    return pivot


@summing_kernel
def _reachable(
    rows: Array, left: Array, whole: Array, size: Array, reach: Array, reach_size: Array
) -> int:
    """Return the row of which most is left among those of which enough is left in `reach`."""
    pivot, most = -1, 0.0
    for i in range(len(whole)):
        if _is_more(left[i], whole[i], size[i], most):
            reached = 0.0
            for j in range(reach.shape[0]):
                reached += dot(rows[i], reach[j]) ** 2
            if reached >= (LOST * reach_size[i]) ** 2:
                pivot, most = i, left[i] / size[i] ** 2
    return pivot


@summing_kernel
def _refine(
    rows: Array,
    duals: Array,
    metric: Array,
    i: int,
    used: int,
    rank: int,
    basis: Array,
    dual_basis: Array,
    coefficients: Array,
) -> None:
    """Remove once more what rounding has left of the basis in a row.

    Its dual is computed anew: what was taken off it step by step has the rounding of what it was,
    and would hide how far the row is from orthogonal.
    """
    for j in range(used + rank):
        along = dot(rows[i], dual_basis[j])
        if j >= used:
            coefficients[i, j - used] += along
        take(rows[i], along, basis[j])
    if metric.shape[0] > 0:
        multiply(rows[i : i + 1], metric, duals[i : i + 1])
