"""The recursion over priority levels."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import apart, kernel, summing_kernel
from controlit_ros.kernels.dense import copy, dense, dense_from, dot, multiply
from controlit_ros.kernels.independent_rows import NOT_FINITE, ROUNDING, independent_rows
from controlit_ros.kernels.map_rows import map_rows
from controlit_ros.kernels.pseudo_inverse import least_squares
from controlit_ros.kernels.remove_span import remove_span
from controlit_ros.kernels.singular_directions import (
    is_far_from_singular,
    limit_singular_directions,
    map_basis,
    may_exceed_limits,
    write_momentum,
)
from controlit_ros.kernels.wanted_accelerations import wanted_accelerations
from controlit_ros.kernels.whole_motion import whole_motion


@kernel
def prioritised_effort(
    jacobian: Array,
    command: Array,
    bias: Array,
    drift: Array,
    is_force: Flags,
    row_weight: Array,
    task_ends: Indices,
    level_ends: Indices,
    exact_levels: int,
    reach_lower_levels: bool,
    singular_size: float,
    metric: Array,
    mobility: Array,
    task_map: Array,
    effort_map: Array,
    motion_map: Array,
    inertia: Array,
    velocity: Array,
    free_acceleration: Array,
    bias_effort: Array,
    effort: Array,
    level_rank: Indices,
    level_condition: Array,
    strain: Array,
    row_work: Array,
    square_work: Array,
    basis: Array,
    joint_work: Array,
    vectors: Array,
    places: Indices,
) -> bool:
    """Write the effort of all levels, on top of the one that holds the robot.

    With `S = J T` (see `project`), each level's rows are made orthogonal to the rows of all levels
    above; with C and B of `independent_rows(S*)`, D of `_measure` and E of
    `transposed_inverse(D C)`, so that `Λ* = D (D J* Φ J*ᵀ D)⁺ D = D E Eᵀ D`:

        y += Bᵀ Eᵀ D u

    with u the command minus `J̇ v` plus `J drift`, and on request minus `S y`, what the levels
    above do to this one. Levels that command forces keep still what the surroundings hold: there u
    has no command, and always minus `S y`. Finally `τ = Eφ y + τ₀`.

    A metric `G = Eφᵀ W Eφ` makes the rows orthogonal in it instead, which projects with
    `N ← (I − W J*ᵀ (J* W J*ᵀ)⁺ J*) N`; then a level makes up for `S* y`, which is zero otherwise.

    Near a singularity `limit_singular_directions` bounds y along the directions that are nearly
    lost, which pass to the lower levels gradually: with y′ of the levels where the lost directions
    are left to the lower ones, and along each lost direction b its share h and rate d,

        y += h b (bᵀ y′ − d − bᵀ y)

    If a Jacobian or a command is not finite, the effort is not a number.

    Args:
        jacobian: `(rows, nv)` of all levels, highest priority first.
        command: `(rows,)` commanded accelerations and forces.
        bias: `(rows,)` `J̇ v`, or zeros to leave velocity-dependent accelerations alone.
        drift: `(nv,)` minus the acceleration under τ₀ alone, or zeros.
        is_force: `(rows,)` whether the command is a force; the same for all rows of a level.
        row_weight: `(rows,)` how much each row counts in its level, above zero.
        task_ends: `(tasks,)` row past the last of each task.
        level_ends: `(levels,)` row past the last of each level.
        exact_levels: How many levels, from the highest on, are never singular.
        reach_lower_levels: Whether a level makes up for what those above do to it.
        singular_size: Size s₀ of a direction below which it is treated as singular, see
            `limit_singular_directions`; 0: none is.
        metric: `(rank, rank)` G, or `(0, 0)` for the identity.
        mobility: `(nv,)` see `project`.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        motion_map: `(nv, na)` `UNc̄ = T Eφᵀ`.
        inertia: `(nv, nv)` A; its lower triangle is read.
        velocity: `(nv,)` v.
        free_acceleration: `(nv,)` to which the solution is added, zero where it is all.
        bias_effort: `(na,)` τ₀, see `HeldLoad`.
        effort: `(na,)` result [N m].
        level_rank: `(levels or more,)` rank of each level; zero past the last that is reached.
        level_condition: `(levels or more,)` condition number of the part of each level kept, of
            `D J* Φ J*ᵀ D`; one past the last that is reached.
        strain: `(rows or more,)` joint acceleration that the command of a row needs along singular
            directions, as a multiple of its bound, see `limit_singular_directions`; 0: none of
            the directions of its level is singular.
        row_work: `(3, rows or more, na)` scratch.
        square_work: `(5, rows or more, rows or more)` scratch.
        basis: `(4, na, na)` scratch: independent rows of the levels done, G times them, those of
            one level, and lost directions.
        joint_work: `(rows + 2 or more, nv)` scratch.
        vectors: `(14, max(rows, na) or more)` scratch.
        places: `(nv,)` scratch.

    Returns:
        True: a chain goes on.
    """
    row_count, width = jacobian.shape[0], task_map.shape[1]
    is_oblique = metric.shape[0] > 0
    y, acceleration = vectors[0, :width], vectors[2]
    whole, size, reach, weight = vectors[3], vectors[4], vectors[5], vectors[6]
    level_rank[:], level_condition[:], strain[:] = 0, 1.0, 0.0
    S, motion = dense(row_work[0], row_count, width), dense(row_work[1], row_count, len(effort))
    done = dense(basis[0], width, width)
    dual = dense(basis[1], width, width) if is_oblique else done
    own = dense(basis[2], width, width)
    lost, lost_count = dense(basis[3], width, width), 0
    rank = 0
    for skips_lost in (False, True):
        _map_levels(
            jacobian, command, bias, drift, is_force, row_weight, task_ends, metric, mobility,
            task_map, motion_map, S, motion, row_work, vectors, places,
        )  # fmt: skip
        y[:] = 0.0
        used, start = 0, 0
        for level in range(len(level_ends)):
            if used == width:
                break  # the levels above leave nothing
            end = level_ends[level]
            rows, wanted = S[start:end], acceleration[start:end]
            is_pushed = end > start and is_force[start]
            is_reached = reach_lower_levels or is_pushed
            if is_reached:
                _take_off(rows, y, wanted)
            remove_span(rows, done, dual, used, is_oblique)
            if is_oblique and not is_reached:
                _take_off(rows, y, wanted)
            place, target = (0, own) if is_oblique else (used, done)
            rank = _factor_level(
                rows, whole[start:end], size[start:end], reach[start:end], effort_map, place,
                target, row_work[1], square_work, vectors,
            )  # fmt: skip
            if rank == NOT_FINITE:
                break
            condition = _solve_level(wanted, weight[start:end], rank, square_work, vectors)
            if not skips_lost:
                level_rank[level], level_condition[level] = rank, condition
            if level >= exact_levels and not is_pushed and singular_size > 0.0:
                rank, lost_count = _limit_level(
                    rank, start, end, task_ends, weight, reach, task_map, target, place, inertia,
                    velocity, free_acceleration, singular_size, skips_lost, strain, lost,
                    lost_count, square_work, joint_work, vectors,
                )  # fmt: skip
            _add_rows(vectors[8], rank, target, place, y)
            if end == row_count:
                break
            if is_oblique:
                rank = _span_in_metric(
                    rows, metric, reach[start:end], effort_map, used, done, dual, row_work,
                    square_work, vectors[:, start:end], vectors,
                )  # fmt: skip
                if rank == NOT_FINITE:
                    break
            used, start = used + rank, end
        if rank == NOT_FINITE or lost_count == 0 or is_oblique:
            break
        if skips_lost:
            _hand_over(lost, lost_count, vectors[11], vectors[12], vectors[13], y)
        else:
            copy(vectors[:1], vectors[13:])
    _write_effort(bias_effort, effort_map, y, rank != NOT_FINITE, effort)
    return True


@kernel
def _map_levels(
    jacobian: Array,
    command: Array,
    bias: Array,
    drift: Array,
    is_force: Flags,
    row_weight: Array,
    task_ends: Indices,
    metric: Array,
    mobility: Array,
    task_map: Array,
    motion_map: Array,
    S: Array,
    motion: Array,
    row_work: Array,
    vectors: Array,
    places: Indices,
) -> None:
    """Write S, motion, and the commands and measures of all rows (`vectors` 1 to 6, and 10)."""
    whole, size, reach, weight = vectors[3], vectors[4], vectors[5], vectors[6]
    map_rows(jacobian, mobility, task_map, motion_map, S, motion, places)
    wanted_accelerations(jacobian, command, bias, drift, is_force, vectors[2])
    whole_motion(jacobian, mobility, whole)
    _measure(S, motion, row_weight, task_ends, whole, size, reach, weight)
    if metric.shape[0] > 0:
        _measure_in(metric, S, whole, size, vectors[10], vectors[1], row_work[1])


@kernel
def _act_in_space(task_ends: Indices, start: int, end: int) -> bool:
    """Check for singular tasks: more than six rows has only a task of joints, never singular."""
    tasks = 0
    for task_end in task_ends:
        if start < task_end <= end:
            tasks += 1
    return end - start <= 6 * tasks


@kernel
def _limit_level(
    rank: int,
    start: int,
    end: int,
    task_ends: Indices,
    weight: Array,
    reach: Array,
    task_map: Array,
    basis: Array,
    place: int,
    inertia: Array,
    velocity: Array,
    free_acceleration: Array,
    singular_size: float,
    skips_lost: bool,
    strain: Array,
    lost: Array,
    lost_count: int,
    square_work: Array,
    joint_work: Array,
    vectors: Array,
) -> tuple[int, int]:
    """Treat the singular directions of a solved level; return its rank and those listed."""
    n, nv, scale = end - start, len(velocity), 0.0
    if rank == 0 or not _act_in_space(task_ends, start, end):
        return rank, lost_count
    joint_motion = dense(joint_work, rank, nv)
    map_basis(task_map, basis, place, joint_motion)
    solution = dense(square_work[2 if rank == n else 4], rank, rank)  # of `least_squares`
    for i in range(start, end):
        scale = max(scale, weight[i] * reach[i])
    if is_far_from_singular(joint_motion, solution, scale, singular_size):
        return rank, lost_count
    momentum = dense_from(joint_work, rank * nv, 2, nv)
    write_momentum(inertia, velocity, free_acceleration, momentum)
    if not may_exceed_limits(joint_motion, vectors[8], momentum):
        return rank, lost_count
    return limit_singular_directions(
        dense(square_work[0], n, n), vectors[9, :n], reach[start:end], weight[start:end],
        joint_motion, momentum,
        basis, place, singular_size, skips_lost, vectors[8],
        strain[start:end], lost, vectors[11], vectors[12], lost_count,
    )  # fmt: skip


@summing_kernel
@apart
def _measure(
    S: Array,
    motion: Array,
    row_weight: Array,
    task_ends: Indices,
    whole: Array,
    size: Array,
    reach: Array,
    weight: Array,
) -> None:
    """Write what the rows of each task are measured by, so that no unit matters.

    Rows of a task have one unit, and axes that mean nothing: `J UNc̄` of all of them tells how far
    the joints move the task, and each of its rows counts by what it would be if it did as much.

    Args:
        S: `(rows, rank)` J T.
        motion: `(rows, na)` J UNc̄.
        row_weight: `(rows,)`.
        task_ends: `(tasks,)`.
        whole: `(rows,)` what rounding is a part of.
        size: `(rows,)` result: the length of S_i, divided by its part of the task's reach.
        reach: `(rows,)` result: the largest length of `J UNc̄` among the rows of the task.
        weight: `(rows,)` result D: the root of `row_weight` over the largest length of S among
            the rows of the task; 0 if no more of it moves than rounding.
    """
    width, na = S.shape[1], motion.shape[1]
    start = 0
    for end in task_ends:
        farthest, longest, rounding = 0.0, 0.0, 0.0
        for i in range(start, end):
            square = 0.0
            for k in range(width):
                square += S[i, k] * S[i, k]
            size[i] = math.sqrt(square)
            moved = 0.0
            for j in range(na):
                moved += motion[i, j] * motion[i, j]
            reach[i] = math.sqrt(moved)
            farthest, longest = max(farthest, reach[i]), max(longest, size[i])
            rounding = max(rounding, ROUNDING * whole[i])
        for i in range(start, end):
            if reach[i] > 0.0:
                size[i] *= farthest / reach[i]
            reach[i] = farthest
            weight[i] = math.sqrt(row_weight[i]) / longest if longest > rounding else 0.0
        start = end


@kernel
@apart
def _measure_in(
    metric: Array,
    S: Array,
    whole: Array,
    size: Array,
    metric_whole: Array,
    metric_size: Array,
    work: Array,
) -> None:
    """Write what `_measure` wrote of lengths, in another metric."""
    weighted = dense(work, S.shape[0], S.shape[1])
    multiply(S, metric, weighted)
    largest = 0.0
    for k in range(S.shape[1]):
        largest += metric[k, k]
    for i in range(S.shape[0]):
        square, metric_square = 0.0, 0.0
        for k in range(S.shape[1]):
            square += S[i, k] * S[i, k]
            metric_square += S[i, k] * weighted[i, k]
        metric_whole[i] = whole[i] * math.sqrt(largest)
        metric_size[i] = size[i] * math.sqrt(metric_square / square) if square > 0.0 else 0.0


@kernel
def _write_effort(
    bias_effort: Array, effort_map: Array, y: Array, is_finite: bool, effort: Array
) -> None:
    """Write `τ = Eφ y + τ₀`, or what is not a number."""
    for i in range(len(effort)):
        effort[i] = bias_effort[i] + dot(effort_map[i], y) if is_finite else math.nan


@summing_kernel
@apart
def _add_rows(along: Array, rank: int, basis: Array, place: int, y: Array) -> None:
    """Add rows of a basis, from `place` on, as far as `along` goes along each."""
    for j in range(rank):
        for k in range(len(y)):
            y[k] += along[j] * basis[place + j, k]


@summing_kernel
@apart
def _hand_over(lost: Array, count: int, share: Array, rate: Array, first: Array, y: Array) -> None:
    """Let y be the first solution, with the share of the second, y, along lost directions."""
    for i in range(count):
        share[i] *= dot(lost[i], y) - rate[i] - dot(lost[i], first)
    for k in range(len(y)):
        y[k] = first[k]
        for i in range(count):
            y[k] += share[i] * lost[i, k]


@kernel
def _span_in_metric(
    rows: Array,
    metric: Array,
    reach: Array,
    effort_map: Array,
    used: int,
    done: Array,
    dual: Array,
    row_work: Array,
    square_work: Array,
    measures: Array,
    vectors: Array,
) -> int:
    """Append to the basis what rows span in an oblique metric; return the rank."""
    n, width = rows.shape
    rest, duals = dense(row_work[1], n, width), dense(row_work[2], n, width)
    multiply(rows, metric, duals)
    copy(rows, rest)
    return independent_rows(
        rest, duals, metric, measures[10], measures[1], effort_map, reach, used, done, dual,
        dense(square_work[0], n, n), vectors[7], vectors[8],
    )  # fmt: skip


@kernel
def _factor_level(
    rows: Array,
    whole: Array,
    size: Array,
    reach: Array,
    effort_map: Array,
    place: int,
    basis: Array,
    rest_work: Array,
    square_work: Array,
    vectors: Array,
) -> int:
    """Write B to the basis from `place` on and C to the scratch; return the rank."""
    n, width = rows.shape
    rest = dense(rest_work, n, width)
    copy(rows, rest)
    C, order = dense(square_work[0], n, n), vectors[7]
    return independent_rows(
        rest,
        rest,
        rest[:0],
        whole,
        size,
        effort_map,
        reach,
        place,
        basis,
        basis,
        C,
        order,
        vectors[8],
    )


@kernel
def _take_off(rows: Array, y: Array, acceleration: Array) -> None:
    """Subtract from accelerations what y does to their rows."""
    for i in range(rows.shape[0]):
        acceleration[i] -= dot(rows[i], y)


@kernel
def _solve_level(
    acceleration: Array, weight: Array, rank: int, square_work: Array, vectors: Array
) -> float:
    """Write `Eᵀ D u` with C of `_factor_level`, whose rows are weighted; and `D u`.

    Returns:
        An upper estimate of the condition of `D C Cᵀ D`, at most the rank squared too large.
    """
    if rank == 0:
        return 1.0
    n = len(acceleration)
    wanted, order, along = vectors[9, :n], vectors[7], vectors[8]
    C, size = dense(square_work[0], n, n), 0.0
    for i in range(n):
        wanted[i] = weight[i] * acceleration[i]
        for j in range(rank):
            C[i, j] *= weight[i]
            size += C[i, j] * C[i, j]
    return size * least_squares(C, order, rank, wanted, along, square_work[2:])
