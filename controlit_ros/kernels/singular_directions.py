"""Singular directions of a task level: bounded joint acceleration, hand-over to lower levels.

Along a direction u that the joints have nearly lost, as a straight arm has along itself, an exact
law divides the command by a size s that goes to zero: the joints are thrown through the singular
posture, and thrown back from its other side. Below the size `s₀` the joint acceleration along the
direction is bounded instead, what is cut off is damped, and lower levels gradually take the
direction. So the robot comes to rest at the edge of its workspace, however far beyond the goal is.
"""

import math

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import apart, counting_kernel, kernel, summing_kernel
from controlit_ros.kernels.dense import dot

DAMPING = 40.0  # [1/s] rate at which motion along a singular direction decays
BOUND = 20.0  # [rad/s²] joint acceleration that commands get along one
HANDED_OVER = 0.3  # [-] part of s₀ below which lower levels take a direction gradually
TINY = 1e-30


@summing_kernel
@apart
def map_basis(task_map: Array, basis: Array, place: int, joint_motion: Array) -> None:
    """Write `T b`, the acceleration that each row b of a basis stands for.

    Args:
        task_map: `(nv, width)` T.
        basis: `(place + rank or more, width)`.
        place: First of the rows.
        joint_motion: `(rank, nv)` result.
    """
    for j in range(joint_motion.shape[0]):
        row = basis[place + j]
        for k in range(joint_motion.shape[1]):
            joint_motion[j, k] = dot(task_map[k], row)


@kernel
def write_momentum(
    inertia: Array, velocity: Array, free_acceleration: Array, momentum: Array
) -> None:
    """Write `A (κ v + q̈₀)` and `κ A v`; `(2, nv)`.

    Args:
        inertia: `(nv, nv)` A; its lower triangle is read.
        velocity: `(nv,)` v.
        free_acceleration: `(nv,)` q̈₀.
        momentum: `(2, nv)` result.
    """
    for i in range(len(velocity)):
        moved, caused = 0.0, 0.0
        for k in range(len(velocity)):
            entry = inertia[max(i, k), min(i, k)]
            moved += entry * velocity[k]
            caused += entry * free_acceleration[k]
        momentum[1, i] = DAMPING * moved
        momentum[0, i] = momentum[1, i] + caused


@kernel
def may_exceed_limits(joint_motion: Array, along: Array, momentum: Array) -> bool:
    """Check whether a direction of a solution could be beyond the limit of a singular one.

    The motion of the joints along a direction is at most `|T Bᵀ| |p + a + d|`.

    Args:
        joint_motion: `(rank, nv)` of `map_basis`.
        along: `(rank or more,)` the solution.
        momentum: `(2, nv)` of `write_momentum`.
    """
    rank, nv = joint_motion.shape
    length, total = 0.0, 0.0
    for j in range(rank):
        amount = along[j]
        for k in range(nv):
            length += joint_motion[j, k] * joint_motion[j, k]
            amount += joint_motion[j, k] * momentum[0, k]
        total += amount * amount
    return length * total > BOUND * BOUND


@kernel
def is_far_from_singular(joint_motion: Array, solution: Array, scale: float, least: float) -> bool:
    """Check that no unit command takes more joint acceleration than 1/least.

    Args:
        joint_motion: `(rank, nv)` of `map_basis`.
        solution: `(rank, rank)` lower triangular, `P` of `least_squares`.
        scale: Largest weight of a row times the unit of its commands.
        least: Size s₀.
    """
    rank, nv = joint_motion.shape
    gain, most = 0.0, 1.0 / (scale * least) ** 2 if scale > 0.0 else math.inf
    for j in range(rank):
        for k in range(nv):
            value = 0.0
            for i in range(j, rank):
                value += joint_motion[i, k] * solution[i, j]
            gain += value * value
        if gain > most:
            return False
    return True


@counting_kernel
def limit_singular_directions(
    C: Array,
    wanted: Array,
    reach: Array,
    weight: Array,
    joint_motion: Array,
    momentum: Array,
    basis: Array,
    place: int,
    least: float,
    skips_lost: bool,
    along: Array,
    strain: Array,
    lost: Array,
    share: Array,
    rate: Array,
    count: int,
) -> tuple[int, int]:
    """Bound the solution of a level along the directions that its joints have nearly lost.

    With the singular values ν and vectors of `M = D C = Σ ν u eᵀ`, the motion of the joints that
    serves u alone is `t = Σ e_j T b_j`. The size of the direction is what the task moves for a
    unit of joint motion, `s = ν |(D R)⁻¹ u| / |t|`, in units of the task's reach R. Where it is
    below s₀, the acceleration `p = eᵀ Mᵀ w / ν²` along it becomes, with the rate `d = κ tᵀ A v` and
    what is there already, `a = tᵀ A q̈₀`,

        x = s / s₀,  limit = BOUND / (1 − x²) / |t|
        p ← min(max(p + a + d, −limit), limit) − a − d

    It is exact while the limit is not met, and damped where it is. The share that lower levels get
    of a direction where the limit is met is `(1 − (x / x₁)²)² (1 − limit / |p + a + d|)` below
    `x₁ = HANDED_OVER`.

    Args:
        C: `(rows, rank or more)` weighted coefficients M.
        wanted: `(rows,)` weighted commands w.
        reach: `(rows,)` R.
        weight: `(rows,)` D.
        joint_motion: `(rank, nv)` of `map_basis`.
        momentum: `(2, nv)` of `write_momentum`, q̈₀ the acceleration that the solution is added
            to.
        basis: `(place + rank or more, width)`; with `skips_lost` its rows from `place` on become
            those of the directions that are kept.
        place: First row of the level.
        least: s₀.
        skips_lost: Whether directions that lower levels share are left to them altogether.
        along: `(rank or more,)` the solution, replaced.
        strain: `(rows,)` result, unless lost directions are skipped: the largest `|p + a + d|` as a
            multiple of its limit, times the part `u²` of the row in the direction; 0: none of its
            directions is singular.
        lost: `(width, width)` result: directions that lower levels share, from `count` on, unless
            they are skipped.
        share: `(width or more,)` result: the share of each.
        rate: `(width or more,)` result: d of each.
        count: Directions listed already.

    Returns:
        The rank that is left; directions listed.
    """
    rank, nv = joint_motion.shape
    n, width = len(wanted), basis.shape[1]
    M = np.zeros((n, rank))
    for i in range(n):
        for j in range(rank):
            M[i, j] = C[i, j]
    squares, vectors = np.linalg.eigh(M.T @ M)
    t, u, found, left = np.zeros(nv), np.zeros(n), np.zeros((rank, width)), 0
    for j in range(rank):
        along[j] = 0.0
    for a in range(rank):
        e, square = vectors[:, a], max(squares[a], 0.0)
        unit, pull = 0.0, 0.0
        for i in range(n):
            u[i] = 0.0
            for j in range(rank):
                u[i] += M[i, j] * e[j]
            pull += u[i] * wanted[i]
            if weight[i] > 0.0:
                unit += (u[i] / (weight[i] * reach[i])) ** 2
        length, d, offset = 0.0, 0.0, 0.0
        for k in range(nv):
            t[k] = 0.0
            for j in range(rank):
                t[k] += e[j] * joint_motion[j, k]
            length += t[k] * t[k]
            d += t[k] * momentum[1, k]
            offset += t[k] * momentum[0, k]
        length = math.sqrt(length)
        x = math.sqrt(unit) / (length * least)
        handed, p = 0.0, pull / square if square > 0.0 else 0.0
        if x < 1.0:
            limit = BOUND / ((1.0 - x * x) * length)
            total = p + offset
            if not skips_lost:
                for i in range(n):
                    part = u[i] * u[i] / max(square, TINY)
                    strain[i] = max(strain[i], part * abs(total) / limit, TINY)
            if abs(total) > limit:
                handed = max(1.0 - (x / HANDED_OVER) ** 2, 0.0) ** 2 * (1.0 - limit / abs(total))
                p = min(max(total, -limit), limit) - offset
        if handed > 0.0 and not skips_lost and count < len(lost):
            share[count], rate[count] = handed, d
            for k in range(width):
                lost[count, k] = 0.0
                for j in range(rank):
                    lost[count, k] += e[j] * basis[place + j, k]
            count += 1
        if skips_lost:
            if handed > 0.0:
                continue
            for k in range(width):
                for j in range(rank):
                    found[left, k] += e[j] * basis[place + j, k]
            along[left] = p
        else:
            for j in range(rank):
                along[j] += p * e[j]
        left += 1
    if skips_lost:
        for a in range(left):
            for k in range(width):
                basis[place + a, k] = found[a, k]
    return left, count


@kernel
@apart
def write_reachable_commands(
    jacobian: Array,
    bias: Array,
    drift: Array,
    is_force: Flags,
    level_ends: Indices,
    strain: Array,
    task_map: Array,
    vectors: Array,
    command: Array,
) -> bool:
    """Replace the commands of singular levels by the accelerations that `prioritised_effort` gives.

    A law that tracks these instead brings the robot to rest at the edge of its workspace likewise.

    Args:
        jacobian: `(rows, nv)`.
        bias: `(rows,)` `J̇ v`.
        drift: `(nv,)` see `prioritised_effort`.
        is_force: `(rows,)`.
        level_ends: `(levels,)`.
        strain: `(rows or more,)` of `prioritised_effort`; 0 in all rows: the level keeps its
            commands.
        task_map: `(nv, width)` T.
        vectors: Of `prioritised_effort`, after its call; y in its first row.
        command: `(rows,)` replaced.

    Returns:
        True: a chain goes on.
    """
    start, y = 0, vectors[0, : task_map.shape[1]]
    for level in range(len(level_ends)):
        end = level_ends[level]
        is_singular = False
        for i in range(start, end):
            is_singular = is_singular or strain[i] > 0.0
        for i in range(start, end):
            if is_singular and not is_force[i]:
                command[i] = bias[i] - dot(jacobian[i], drift)
                for k in range(len(drift)):
                    if jacobian[i, k] != 0.0:
                        command[i] += jacobian[i, k] * dot(task_map[k], y)
        start = end
    return True
