"""The recursion over priority levels."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dense, gram, multiply
from controlit_ros.kernels.range_factor import range_factor

Array = npt.NDArray[np.float64]


@kernel
def prioritised_effort(
    jacobian: Array,
    command: Array,
    bias: Array,
    drift: Array,
    is_force: npt.NDArray[np.bool_],
    level_ends: npt.NDArray[np.int64],
    reach_lower_levels: bool,
    task_map: Array,
    effort_map: Array,
    bias_effort: Array,
    effort: Array,
    level_rank: npt.NDArray[np.int64],
    level_condition: Array,
    row_work: Array,
    square_work: Array,
    basis: Array,
    acceleration: Array,
) -> None:
    """Write the effort of all levels and of the bias compensation.

    With `S = J T` (see `project`), each level's rows are made orthogonal to the rows of all levels
    above; `M = S* S*ᵀ = J* Φ J*ᵀ`, `E` of `range_factor(M)`, new basis rows `B = Eᵀ S*`,
    `y += Bᵀ Eᵀ u` with u the command minus `J̇ v` plus `J drift`, and on request minus `S y`, what
    the levels above do to this one. Rows that command a force add `S*ᵀ F`. Finally
    `τ = Eφ y + UNc̄ᵀ (B + G)`.

    Args:
        jacobian: `(rows, nv)` of all levels, highest priority first.
        command: `(rows,)` commanded accelerations and forces.
        bias: `(rows,)` `J̇ v`, or zeros to leave velocity-dependent accelerations alone.
        drift: `(nv,)` `Jc̄ J̇c v`, or zeros.
        is_force: `(rows,)` whether the command is a force.
        level_ends: `(levels,)` row past the last of each level.
        reach_lower_levels: Take off each level's command what the levels above do to it.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        effort: `(na,)` result [N m].
        level_rank: `(levels or more,)` rank of each level.
        level_condition: `(levels or more,)` condition number of the part of each level kept.
        row_work: `(3, rows or more, na)` scratch.
        square_work: `(6, rows or more, rows or more)` scratch.
        basis: `(na, na)` scratch, orthonormal rows of the levels done.
        acceleration: `(rows or more,)` scratch, accelerations to reach with the bias taken off.
    """
    nv, width = task_map.shape
    na, row_count = len(effort), jacobian.shape[0]
    y = row_work[2][0, :width]
    y[:] = 0.0
    S = dense(row_work[0], row_count, width)
    multiply(jacobian, task_map, S)
    for i in range(row_count):
        acceleration[i] = command[i] - bias[i]
        for k in range(nv):
            acceleration[i] += jacobian[i, k] * drift[k]
    used = 0
    start = 0
    for level in range(len(level_ends)):
        end = level_ends[level]
        rows = S[start:end]
        if reach_lower_levels:
            for i in range(start, end):
                for k in range(width):
                    acceleration[i] -= S[i, k] * y[k]
        _remove_span(rows, basis, used, width)
        _remove_span(rows, basis, used, width)  # once more: rounding of the first pass
        forces = 0
        for i in range(start, end):
            if is_force[i]:
                forces += 1
                for k in range(width):
                    y[k] += S[i, k] * command[i]
        n = end - start
        E = dense(square_work[4], n, n)
        if 0 < forces < n:
            _add_moving_rows(
                rows, acceleration[start:end], is_force[start:end], y, row_work[1], square_work
            )
        M = dense(square_work[5], n, n)
        gram(rows, M)
        rank, condition = range_factor(M, E, square_work[:4])
        level_rank[level] = rank
        level_condition[level] = condition
        for i in range(rank):
            weight = 0.0
            for k in range(width):
                basis[used + i, k] = 0.0
            for j in range(n):
                factor = E[j, i]
                weight += factor * acceleration[start + j]
                for k in range(width):
                    basis[used + i, k] += factor * rows[j, k]
            if forces == 0:
                for k in range(width):
                    y[k] += basis[used + i, k] * weight
        used += rank
        start = end
    for i in range(na):
        total = bias_effort[i]
        for k in range(width):
            total += effort_map[i, k] * y[k]
        effort[i] = total


@kernel
def _remove_span(rows: Array, basis: Array, used: int, width: int) -> None:
    """Make rows orthogonal to the first `used` orthonormal rows of the basis."""
    for i in range(rows.shape[0]):
        for j in range(used):
            along = 0.0
            for k in range(width):
                along += rows[i, k] * basis[j, k]
            for k in range(width):
                rows[i, k] -= along * basis[j, k]


@kernel
def _add_moving_rows(
    rows: Array,
    acceleration: Array,
    is_force: npt.NDArray[np.bool_],
    y: Array,
    row_work: Array,
    square_work: Array,
) -> None:
    """Add to y what the rows of a mixed level need that command an acceleration.

    What the level's forces already do to these rows is taken off: rows of a level are orthogonal to
    all levels above, so of y only the level's own forces show in the product with them.
    """
    width = len(y)
    count = 0
    moving = dense(row_work, rows.shape[0], width)
    for i in range(rows.shape[0]):
        if not is_force[i]:
            for k in range(width):
                moving[count, k] = rows[i, k]
            count += 1
    n = count
    moving = moving[:n]
    M = dense(square_work[5], n, n)
    gram(moving, M)
    E = dense(square_work[4], n, n)
    rank, _ = range_factor(M, E, square_work[:4])
    missing = square_work[3][0]
    row = 0
    for j in range(rows.shape[0]):
        if not is_force[j]:
            missing[row] = acceleration[j]
            for k in range(width):
                missing[row] -= moving[row, k] * y[k]
            row += 1
    for i in range(rank):
        weight = 0.0
        for j in range(n):
            weight += E[j, i] * missing[j]
        for j in range(n):
            factor = E[j, i] * weight
            for k in range(width):
                y[k] += factor * moving[j, k]
