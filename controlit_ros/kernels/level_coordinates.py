"""Coordinates of efforts in which each level of tasks has some of its own."""

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import copy, dense, lengths, multiply, multiply_transposed
from controlit_ros.kernels.independent_rows import NOT_FINITE, ROUNDING, independent_rows
from controlit_ros.kernels.remove_span import remove_span
from controlit_ros.kernels.wanted_accelerations import wanted_accelerations
from controlit_ros.kernels.whole_motion import whole_motion

DEPENDENT = 1e-2  # [-] of a locked row, which is left of it when others are locked, and is none


@kernel
def level_coordinates(
    jacobian: Array,
    command: Array,
    is_force: Flags,
    bias: Array,
    drift: Array,
    mobility: Array,
    level_ends: Indices,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    wanted: Array,
    whole: Array,
    S: Array,
    B: Array,
    internal: Array,
    level_rank: Indices,
    row_work: Array,
    square_work: Array,
    basis_work: Array,
    vectors: Array,
) -> bool:
    """Write the rows of tasks and orthonormal coordinates of which each level has some of its own.

    With `S = J T` (see `project`), B are orthonormal rows that span those of S level by level, and
    after them all there is. Z are orthonormal efforts that move nothing. Then, with

        τ = τ₀ + G w    G = [Eφ Bᵀ, Z / √φ]    φ = tr Φ / na

    the rows of tasks move by `J q̈ + J̇ v − u = [S Bᵀ, 0] w − a`, where `S Bᵀ` is a lower triangle of
    blocks: a level moves by its own coordinates and those of the levels above, and by no other. And
    `|w|² = xᵀ Φ x + φ |L* x|²` with `x = τ − τ₀`, `L* = I − Φ Φ⁺`. What counts as independent is
    told by `independent_rows`: what is more than rounding.

    Args:
        jacobian: `(rows, nv)` of all levels, highest priority first.
        command: `(rows,)` u, commanded accelerations, and forces.
        is_force: `(rows,)` whether the command is a force: then u is zero.
        bias: `(rows,)` `J̇ v`.
        drift: `(nv,)` minus the acceleration under τ₀.
        mobility: `(nv,)` see `project`.
        level_ends: `(levels,)` row past the last of each level.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        Phi: `(na, na)` Φ.
        wanted: `(rows or more,)` result a.
        whole: `(rows or more,)` result of `whole_motion`.
        S: `(rows, rank)` result.
        B: `(rank, rank)` result.
        internal: `(na, na)` result, `Z / √φ` in its rows from `rank` on.
        level_rank: `(levels or more,)` result: coordinates of each level's own.
        row_work: `(rows or more, na)` scratch.
        square_work: `(rows or more, rows or more)` scratch.
        basis_work: `(3, na, na)` scratch.
        vectors: `(4, max(rows, na) or more)` scratch.

    Returns:
        Whether all is finite.
    """
    multiply(jacobian, task_map, S)
    wanted_accelerations(jacobian, command, bias, drift, is_force, wanted)
    whole_motion(jacobian, mobility, whole)
    used = _span_levels(S, level_ends, whole, B, level_rank, row_work, square_work, vectors)
    if used == NOT_FINITE:
        return False
    if used < B.shape[0]:
        _complete(B, used, basis_work[0], basis_work[1], vectors)
    if B.shape[0] < len(Phi):
        _span_internal(effort_map, Phi, internal, basis_work, vectors)
    return True


@kernel
def coordinates_left(
    rows: Array,
    locked: Flags,
    motion: Array,
    whole: Array,
    level_ends: Indices,
    level: int,
    first: int,
    B: Array,
    level_rank: Indices,
    own_work: Array,
    square_work: Array,
    basis_work: Array,
    vectors: Array,
) -> int:
    """Write other coordinates in place of the last ones, the first of which move locked rows.

    With `w′ = B w` for the coordinates from `first` on, B orthonormal: some that span what they do
    to the locked rows, then those of each level below, then all there is.

    Args:
        rows: `(m, na)` rows over w.
        locked: `(m,)` which of them are locked.
        motion: `(rows, na)` rows of all tasks over w.
        whole: `(rows or more,)` what rounding is a part of in each; see `whole_motion`.
        level_ends: `(levels,)` row past the last of each level.
        level: The first level that is still to be solved.
        first: How many coordinates have their value.
        B: `(na - first, na - first)` result.
        level_rank: `(levels or more,)` result from `level` on: coordinates of each level's own.
        own_work: `(max(m, rows) or more, na)` scratch.
        square_work: `(max(m, rows) or more, max(m, rows) or more)` scratch.
        basis_work: `(2 or more, na, na)` scratch.
        vectors: `(4, max(m, rows, na) or more)` scratch.

    Returns:
        How many of the new coordinates move locked rows.
    """
    left, count = B.shape[0], 0
    for i in range(rows.shape[0]):
        count += locked[i]
    own = dense(own_work, count, left)
    row = 0
    for i in range(rows.shape[0]):
        if locked[i]:
            for k in range(left):
                own[row, k] = rows[i, first + k]
            row += 1
    used = _span(own, 0, DEPENDENT / ROUNDING, vectors[0], B, square_work, vectors)
    kept = used
    start = level_ends[level - 1] if level > 0 else 0
    for below in range(level, len(level_ends)):
        end = level_ends[below]
        own = dense(own_work, end - start, left)
        copy(motion[start:end, first:], own)
        level_rank[below] = _span(own, used, 0.0, whole[start:end], B, square_work, vectors)
        used += level_rank[below]
        start = end
    if used < left:
        _complete(B, used, basis_work[0], basis_work[1], vectors)
    return kept


@kernel
def _span_levels(
    S: Array,
    level_ends: Indices,
    whole: Array,
    B: Array,
    level_rank: Indices,
    work: Array,
    square_work: Array,
    vectors: Array,
) -> int:
    """Write a basis of the rows, level by level; return its size, or `NOT_FINITE`."""
    used, start = 0, 0
    for level in range(len(level_ends)):
        end = level_ends[level]
        own = dense(work, end - start, S.shape[1])
        copy(S[start:end], own)
        rank = _span(own, used, 0.0, whole[start:end], B, square_work, vectors)
        if rank == NOT_FINITE:
            return NOT_FINITE
        level_rank[level] = rank
        used += rank
        start = end
    return used


@kernel
def _span(
    own: Array,
    used: int,
    tolerance: float,
    whole: Array,
    B: Array,
    square_work: Array,
    vectors: Array,
) -> int:
    """Append to a basis what is independent of rows, which are overwritten; return how much.

    With a tolerance rounding is that times the length of a row, instead of a part of `whole`.
    """
    n = own.shape[0]
    size, order, left = vectors[1, :n], vectors[2, :n], vectors[3, :n]
    lengths(own, size)
    if tolerance > 0.0:
        for i in range(n):
            whole[i] = tolerance * size[i]
    remove_span(own, B, B, used, False)
    return independent_rows(
        own, own, own[:0], whole[:n], size, own[:0], size, used, B, B, dense(square_work, n, n),
        order, left,
    )  # fmt: skip


@kernel
def _complete(B: Array, used: int, work: Array, square_work: Array, vectors: Array) -> None:
    """Append rows until an orthonormal basis has all there is."""
    width = B.shape[0]
    others = dense(work, width, width)
    for i in range(width):
        for k in range(width):
            others[i, k] = 1.0 if i == k else 0.0
    remove_span(others, B, B, used, False)
    _independent(others, used, B, square_work, vectors)


@kernel
def _independent(rows: Array, used: int, basis: Array, square_work: Array, vectors: Array) -> int:
    """Append what is independent of rows that are parts of unit vectors; return how much."""
    n = rows.shape[0]
    for i in range(n):
        vectors[0, i] = 1.0
    unit, order, left = vectors[0, :n], vectors[2, :n], vectors[3, :n]
    return independent_rows(
        rows, rows, rows[:0], unit, unit, rows[:0], unit, used, basis, basis,
        dense(square_work, n, n), order, left,
    )  # fmt: skip


@kernel
def _span_internal(
    effort_map: Array, Phi: Array, internal: Array, basis_work: Array, vectors: Array
) -> None:
    """Write `Z / √φ`, which spans `I − Φ Φ⁺`."""
    na, width = effort_map.shape
    inverse = dense(basis_work[0], width, na)
    multiply_transposed(effort_map, Phi, inverse)
    projector = basis_work[1]
    multiply(effort_map, inverse, projector)
    trace = 0.0
    for i in range(na):
        trace += Phi[i, i]
        for j in range(na):
            projector[i, j] = (1.0 if i == j else 0.0) - projector[i, j]
            internal[i, j] = 0.0
    count = _independent(projector, width, internal, basis_work[2], vectors)
    scale = (na / trace) ** 0.5 if trace > 0.0 else 1.0
    for row in range(width, width + count):
        for i in range(na):
            internal[row, i] *= scale
