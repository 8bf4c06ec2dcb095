"""The recursion over priority levels."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.damped_factor import damped_factor
from controlit_ros.kernels.dense import dense, gram, multiply
from controlit_ros.kernels.range_factor import range_factor

Array = npt.NDArray[np.float64]

MUCH_LEFT = 0.01  # [-] of a row's square: a projection that leaves more loses a digit at most


@kernel
def prioritised_effort(
    jacobian: Array,
    command: Array,
    bias: Array,
    drift: Array,
    is_force: npt.NDArray[np.bool_],
    level_ends: npt.NDArray[np.int64],
    reach_lower_levels: bool,
    damping: float,
    metric: Array,
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

    A metric `G = Eφᵀ W Eφ` makes the rows orthogonal in it instead, which projects with
    `N ← (I − W J*ᵀ (J* W J*ᵀ)⁺ J*) N`; then a level makes up for `S* y`, which is zero otherwise.

    Args:
        jacobian: `(rows, nv)` of all levels, highest priority first.
        command: `(rows,)` commanded accelerations and forces.
        bias: `(rows,)` `J̇ v`, or zeros to leave velocity-dependent accelerations alone.
        drift: `(nv,)` see `project`, or zeros.
        is_force: `(rows,)` whether the command is a force.
        level_ends: `(levels,)` row past the last of each level.
        reach_lower_levels: Whether a level makes up for what those above do to it.
        damping: Singular value of M, as a part of its largest, below which its inverse is damped;
            0: truncated.
        metric: `(rank, rank)` G, or `(0, 0)` for the identity.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        effort: `(na,)` result [N m].
        level_rank: `(levels or more,)` rank of each level.
        level_condition: `(levels or more,)` condition number of the part of each level kept.
        row_work: `(4, rows or more, na)` scratch.
        square_work: `(7, rows or more, rows or more)` scratch.
        basis: `(2, na, na)` scratch, independent rows of the levels done, and G times them as
            columns.
        acceleration: `(rows or more,)` scratch, accelerations to reach with the bias taken off.
    """
    row_count, width = jacobian.shape[0], task_map.shape[1]
    has_metric = metric.shape[0] > 0
    y, push = row_work[2][0, :width], row_work[3][0, :width]
    y[:] = 0.0
    S = dense(row_work[0], row_count, width)
    multiply(jacobian, task_map, S)
    _prepare(jacobian, command, bias, drift, acceleration)
    done = basis[0]
    dual = basis[1]
    used = 0
    start = 0
    for level in range(len(level_ends)):
        if used == width:
            break  # the levels above leave nothing
        end = level_ends[level]
        rows, wanted = S[start:end], acceleration[start:end]
        if reach_lower_levels:
            _take_off(rows, y, wanted)
        _remove_span(rows, done, dual, used, has_metric, row_work[1][0])
        if has_metric and not reach_lower_levels:
            _take_off(rows, y, wanted)
        n = end - start
        forces = _add_forces(rows, command[start:end], is_force[start:end], push, y)
        if 0 < forces < n:
            _add_moving_rows(
                rows, wanted, is_force[start:end], damping, push, y, row_work[1], square_work
            )
        E = dense(square_work[4], n, n)
        M = dense(square_work[5], n, n)
        gram(rows, M)
        rank, condition = range_factor(M, E, square_work[:4])
        level_rank[level] = rank
        level_condition[level] = condition
        is_damped = _is_damped(damping, rank, condition, n)
        if forces == 0 and is_damped:
            F = dense(square_work[6], n, n)
            damped_factor(M, damping, F)
            _add_motion(rows, F, n, wanted, y, square_work[0])
        elif forces == 0:
            _add_motion(rows, E, rank, wanted, y, square_work[0])
        if end == row_count:
            break
        if has_metric:
            _weighted_gram(rows, metric, M, row_work[1])
            rank, _ = range_factor(M, E, square_work[:4])
        _extend(rows, E, rank, done, used, width)
        _weigh(metric, done, dual, used, rank, width)
        used += rank
        start = end
    for i in range(len(effort)):
        total = bias_effort[i]
        for k in range(width):
            total += effort_map[i, k] * y[k]
        effort[i] = total


@kernel
def _prepare(
    jacobian: Array, command: Array, bias: Array, drift: Array, acceleration: Array
) -> None:
    """Write the accelerations to reach, all that happens by itself taken off."""
    for i in range(jacobian.shape[0]):
        acceleration[i] = command[i] - bias[i]
        for k in range(jacobian.shape[1]):
            acceleration[i] += jacobian[i, k] * drift[k]


@kernel
def _add_forces(
    rows: Array, command: Array, is_force: npt.NDArray[np.bool_], push: Array, y: Array
) -> int:
    """Write what the level's forces do, add it to y and return how many there are."""
    forces = 0
    for i in range(rows.shape[0]):
        if is_force[i]:
            if forces == 0:
                push[:] = 0.0
            forces += 1
            for k in range(len(push)):
                push[k] += rows[i, k] * command[i]
    if forces > 0:
        for k in range(len(push)):
            y[k] += push[k]
    return forces


@kernel
def _extend(rows: Array, E: Array, rank: int, basis: Array, used: int, width: int) -> None:
    """Append `Eᵀ S*` to the basis."""
    for i in range(rank):
        for k in range(width):
            basis[used + i, k] = 0.0
        for j in range(rows.shape[0]):
            factor = E[j, i]
            for k in range(width):
                basis[used + i, k] += factor * rows[j, k]


@kernel
def _weigh(metric: Array, basis: Array, dual: Array, used: int, rank: int, width: int) -> None:
    """Write `G b` for the last rows of the basis, as columns."""
    for i in range(used, used + rank):
        for k in range(width):
            if metric.shape[0] == 0:
                dual[k, i] = basis[i, k]
                continue
            total = 0.0
            for j in range(width):
                total += metric[k, j] * basis[i, j]
            dual[k, i] = total


@kernel
def _is_damped(damping: float, rank: int, condition: float, n: int) -> bool:
    """Tell whether a level may have singular values that are damped; the condition is no less."""
    return damping > 0.0 and (rank < n or damping * condition > 1.0)


@kernel
def _take_off(rows: Array, y: Array, acceleration: Array) -> None:
    """Subtract from accelerations what y does to their rows."""
    for i in range(rows.shape[0]):
        for k in range(len(y)):
            acceleration[i] -= rows[i, k] * y[k]


@kernel
def _add_motion(
    rows: Array, factor: Array, rank: int, acceleration: Array, y: Array, work: Array
) -> None:
    """Add `rowsᵀ F Fᵀ u` to y."""
    n = rows.shape[0]
    share = work[0]
    for j in range(n):
        share[j] = 0.0
    for i in range(rank):
        weight = 0.0
        for j in range(n):
            weight += factor[j, i] * acceleration[j]
        for j in range(n):
            share[j] += factor[j, i] * weight
    for j in range(n):
        for k in range(len(y)):
            y[k] += share[j] * rows[j, k]


@kernel
def _weighted_gram(rows: Array, metric: Array, out: Array, row_work: Array) -> None:
    """Write `S G Sᵀ`; `(n, width)`, `(width, width)`, `(n, n)`."""
    n, width = rows.shape[0], metric.shape[0]
    weighted = dense(row_work, n, width)
    multiply(rows, metric, weighted)
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
            for k in range(width):
                out[i, j] += weighted[i, k] * rows[j, k]


@kernel
def _remove_span(
    rows: Array, basis: Array, dual: Array, used: int, is_oblique: bool, work: Array
) -> None:
    """Make rows orthogonal to the first `used` rows of the basis, in the metric of the duals.

    Rounding is that of the row as it was: where little of it is left this is done once more.

    Args:
        rows: `(n, width)` replaced.
        basis: `(used or more, width or more)`.
        dual: `(width or more, used or more)` G times the basis, as columns.
        used: Rows of the basis.
        is_oblique: Whether the metric is another than the identity.
        work: `(used or more,)` scratch.
    """
    width = rows.shape[1]
    if used == 0:
        return
    for i in range(rows.shape[0]):
        before = 0.0
        for k in range(width):
            before += rows[i, k] * rows[i, k]
        for _ in range(2):
            for j in range(used):
                work[j] = 0.0
            for k in range(width):
                value = rows[i, k]
                for j in range(used):
                    work[j] += value * dual[k, j]
            for j in range(used):
                along = work[j]
                for k in range(width):
                    rows[i, k] -= along * basis[j, k]
            left = 0.0
            for k in range(width):
                left += rows[i, k] * rows[i, k]
            if left > MUCH_LEFT * before and not is_oblique:
                break


@kernel
def _add_moving_rows(
    rows: Array,
    acceleration: Array,
    is_force: npt.NDArray[np.bool_],
    damping: float,
    push: Array,
    y: Array,
    row_work: Array,
    square_work: Array,
) -> None:
    """Add to y what the rows of a mixed level need that command an acceleration.

    What `push`, the level's own forces, already does to these rows is taken off.
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
    rank, condition = range_factor(M, E, square_work[:4])
    if _is_damped(damping, rank, condition, n):
        damped_factor(M, damping, E)
        rank = n
    missing = square_work[3][0, :n]
    row = 0
    for j in range(rows.shape[0]):
        if not is_force[j]:
            missing[row] = acceleration[j]
            for k in range(width):
                missing[row] -= moving[row, k] * push[k]
            row += 1
    _add_motion(moving, E, rank, missing, y, square_work[0])
