"""The recursion over priority levels."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import apart, kernel, summing_kernel
from controlit_ros.kernels.dense import copy, dense, dot, multiply, take
from controlit_ros.kernels.fading import fade
from controlit_ros.kernels.independent_rows import NOT_FINITE, ROUNDING, independent_rows
from controlit_ros.kernels.map_rows import map_rows
from controlit_ros.kernels.pseudo_inverse import least_squares
from controlit_ros.kernels.remove_span import remove_span
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
    reach_lower_levels: bool,
    damping: float,
    metric: Array,
    mobility: Array,
    task_map: Array,
    effort_map: Array,
    motion_map: Array,
    bias_effort: Array,
    effort: Array,
    level_rank: Indices,
    level_condition: Array,
    row_work: Array,
    square_work: Array,
    basis: Array,
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
        reach_lower_levels: Whether a level makes up for what those above do to it.
        damping: Eigenvalue of `J° J°ᵀ` of `_fade`, as a part of its largest, below which
            accelerations fade; 0: they do not.
        metric: `(rank, rank)` G, or `(0, 0)` for the identity.
        mobility: `(nv,)` see `project`.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        motion_map: `(nv, na)` `UNc̄ = T Eφᵀ`.
        bias_effort: `(na,)` τ₀, see `HeldLoad`.
        effort: `(na,)` result [N m].
        level_rank: `(levels or more,)` rank of each level; zero past the last that is reached.
        level_condition: `(levels or more,)` condition number of the part of each level kept, of
            `D J* Φ J*ᵀ D`; one past the last that is reached.
        row_work: `(3, rows or more, na)` scratch.
        square_work: `(5, rows or more, rows or more)` scratch.
        basis: `(4, na, na)` scratch: independent rows of the levels done, G times them, those of
            one level, and what `_spend` writes.
        vectors: `(11, max(rows, na) or more)` scratch.
        places: `(nv,)` scratch.

    Returns:
        True: a chain goes on.
    """
    row_count, width = jacobian.shape[0], task_map.shape[1]
    is_oblique = metric.shape[0] > 0
    y, acceleration = vectors[0, :width], vectors[2]
    whole, size, reach, weight = vectors[3], vectors[4], vectors[5], vectors[6]
    y[:], level_rank[:], level_condition[:] = 0.0, 0, 1.0
    S, motion = dense(row_work[0], row_count, width), dense(row_work[1], row_count, len(effort))
    map_rows(jacobian, mobility, task_map, motion_map, S, motion, places)
    wanted_accelerations(jacobian, command, bias, drift, is_force, acceleration)
    whole_motion(jacobian, mobility, whole)
    _measure(S, motion, row_weight, task_ends, whole, size, reach, weight)
    if is_oblique:
        _measure_in(metric, S, whole, size, vectors[10], vectors[1], row_work[1])
    done = dense(basis[0], width, width)
    dual = dense(basis[1], width, width) if is_oblique else done
    own = dense(basis[2], width, width)
    spent = basis[3]
    used, start, rank = 0, 0, 0
    for level in range(len(level_ends)):
        if used == width:
            break  # the levels above leave nothing
        end = level_ends[level]
        n = end - start
        rows, wanted = S[start:end], acceleration[start:end]
        is_reached = reach_lower_levels or (n > 0 and is_force[start])
        if is_reached:
            _take_off(rows, y, wanted)
        remove_span(rows, done, dual, used, is_oblique)
        if is_oblique and not is_reached:
            _take_off(rows, y, wanted)
        place = 0 if is_oblique else used
        target = own if is_oblique else done
        rank = _factor_level(
            rows, whole[start:end], size[start:end], reach[start:end], effort_map, place, target,
            row_work[1], square_work, vectors,
        )  # fmt: skip
        if rank == NOT_FINITE:
            break
        level_rank[level] = rank
        level_condition[level] = _add_motion(
            rows, wanted, reach[start:end], weight[start:end], effort_map, damping, rank,
            place, target, spent[:used], row_work[2], square_work, y, vectors,
        )  # fmt: skip
        if end == row_count:
            break
        if is_oblique:
            rest, duals = dense(row_work[1], n, width), dense(row_work[2], n, width)
            multiply(rows, metric, duals)
            copy(rows, rest)
            rank = independent_rows(
                rest, duals, metric, vectors[10, start:end], vectors[1, start:end], effort_map,
                reach[start:end], used, done, dual, dense(square_work[0], n, n), vectors[7],
                vectors[8],
            )  # fmt: skip
            if rank == NOT_FINITE:
                break
        if damping > 0.0:
            _spend(done, effort_map, used, used + rank, spent)
        used += rank
        start = end
    _write_effort(bias_effort, effort_map, y, rank != NOT_FINITE, effort)
    return True


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
def _add_motion(
    rows: Array,
    acceleration: Array,
    reach: Array,
    weight: Array,
    effort_map: Array,
    damping: float,
    rank: int,
    place: int,
    basis: Array,
    spent: Array,
    reach_work: Array,
    square_work: Array,
    y: Array,
    vectors: Array,
) -> float:
    """Add `Bᵀ Eᵀ D u` to y, with B at `place` of the basis and C of `_factor_level`.

    Returns:
        An upper estimate of the condition of `D C Cᵀ D`, at most the rank squared too large.
    """
    if rank == 0:
        return 1.0
    n, width = rows.shape
    wanted, order, along = vectors[9, :n], vectors[7], vectors[8]
    for i in range(n):
        wanted[i] = acceleration[i]
    if damping > 0.0:
        _fade(
            rows, reach, weight, effort_map, damping, spent, wanted, reach_work, square_work[1:]
        )  # fmt: skip
    C, size = dense(square_work[0], n, n), 0.0
    for i in range(n):
        wanted[i] *= weight[i]
        for j in range(rank):
            C[i, j] *= weight[i]
            size += C[i, j] * C[i, j]
    inverse_size = least_squares(C, order, rank, wanted, along, square_work[2:])
    for j in range(rank):
        for k in range(width):
            y[k] += along[j] * basis[place + j, k]
    return size * inverse_size


@kernel
def _fade(
    rows: Array,
    reach: Array,
    weight: Array,
    effort_map: Array,
    damping: float,
    spent: Array,
    acceleration: Array,
    reach_work: Array,
    square_work: Array,
) -> None:
    """Let accelerations fade where J°, as parts of each task's reach, is nearly lost.

    J° is `S* Eφᵀ` without what the levels above have spent: how far joints move the task that keep
    theirs. `J* = S* Eφᵀ` itself would count what other joints do by inertia when one is pushed.
    """
    n, na = rows.shape[0], effort_map.shape[0]
    J = dense(reach_work, n, na)
    for i in range(n):
        unit = 1.0 / reach[i] if weight[i] > 0.0 else 0.0  # of tasks that do not move, nothing
        acceleration[i] *= unit
        for j in range(na):
            J[i, j] = dot(rows[i], effort_map[j]) * unit
        for g in range(spent.shape[0]):
            take(J[i], dot(J[i], spent[g]), spent[g])
    fade(J, damping, acceleration, square_work[:1], square_work[1:])
    for i in range(n):
        acceleration[i] *= reach[i]


@summing_kernel
def _spend(basis: Array, effort_map: Array, start: int, end: int, spent: Array) -> None:
    """Append to an orthonormal basis what joints do for rows `start` to `end` of a basis, `B Eφᵀ`.

    Args:
        basis: `(end or more, width)` B.
        effort_map: `(na, width)` Eφ.
        start: Rows of `spent` there are already.
        end: Past the last.
        spent: `(end or more, na)` result.
    """
    na = effort_map.shape[0]
    for row in range(start, end):
        for j in range(na):
            spent[row, j] = 0.0
            for k in range(effort_map.shape[1]):
                spent[row, j] += basis[row, k] * effort_map[j, k]
        remove_span(spent[row : row + 1], spent[:row], spent[:row], row, False)
        square = 0.0
        for j in range(na):
            square += spent[row, j] * spent[row, j]
        scale = 1.0 / math.sqrt(square) if square > 0.0 else 0.0
        for j in range(na):
            spent[row, j] *= scale
