"""Efforts within their limits that keep joints within their range and their speed."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel, summing_kernel
from controlit_ros.kernels.give_way import SCRATCH_ROWS as GIVE_WAY_ROWS
from controlit_ros.kernels.give_way import give_way

SWEEPS = 20  # [-] of joints at their limits, which pull at each other
CONVERGED = 0.02  # [rad/s²] change of an acceleration by a sweep after which no other is made
IMMOVABLE = 1e-6  # [1 / (kg m²)] below this only the others' efforts move a joint in a closed chain

BRAKE_PART = 0.5  # [-] of what a motor can brake alone is relied on: others may pull at it
LEAST_BRAKE_PART = 0.05  # [-] of the effort limits, where gravity leaves a motor less

# What bounds are passed by where they must, beside the acceleration it takes to keep them: speed
# comes before range where they exclude each other.
SPEED_COMPLIANCE = 1e-7  # [-]
RANGE_COMPLIANCE = 1e-5  # [-]

FREE = 1e3  # [-] times the effort that uses up the speed left at once, where no effort is limited

SPEED_UP, SPEED_DOWN, RANGE_UP, RANGE_DOWN = range(4)

NEAR_PART = 0.1  # [-] of the speed allowed: with no more left it is the limit that holds back

FAR = 3.0  # [-] of a margin: from there on no push counts, a joint has the way to be caught

BY_RANGE, BY_SPEED, BY_ACCELERATION = 1, 2, 3
"""What held a joint back: the end of its range, its speed, or that it would reach them at once."""

ACCELERATION, BOUNDS, WANTED, TIGHTEST, COMPLIANCES, NEAR, UNHELD, ALLOWED, OTHERS = (
    0, 1, 5, 6, 8, 10, 14, 15, 16
)  # fmt: skip
SCRATCH_ROWS = OTHERS + GIVE_WAY_ROWS


@kernel
def keep_inside(
    effort: Array,
    box: Array,
    bias: Array,
    Phi: Array,
    position: Array,
    velocity: Array,
    unexplained: Array,
    limits: Array,
    margins: Array,
    times: Array,
    tolerance: float,
    scratch: Array,
    matrices: Array,
    kinds: npt.NDArray[np.int8],
) -> bool:
    """Change efforts that push joints out of their range or make them too fast.

    For each joint, upwards and in the same way downwards, with the range `[l, u]`, the speed `v`
    allowed, their margins m, the limits of effort `[τ_l, τ_u]` and `x⁺ = max(x, 0)`:

        a    = Φ_i (effort − bias)
        a   ≤ bound(v − q̇, m_speed)        a ≤ bound(reach((u − q)⁺) − q̇, m_range / horizon)
        bound(r, m) = min(r / (response (1 − r / m)) if r < m else ∞, r / reaction)  for r > 0
        bound(r, m) = r / reaction for the speed, r / response for the range         else
        reach(x) = min(x / horizon, √(2 Φ_ii (bias_i − τ_l,i) x / 2))

    Far from its limits a joint may use up the speed that is left in the time `reaction`; within its
    margins more slowly; what is beyond fades. What pushes it outwards beside the efforts, â⁺, is
    taken from a bound within the margin, and less farther away (`FAR`). Where every a is within its
    bounds, which is nearly always, nothing else is computed. Else

    1.  each joint at a bound is held by its own motor, as far as its limits go. The efforts are the
        solution of a linear complementarity problem with boxes, as joints pull at each other,
        found by projected Gauss-Seidel sweeps (Cottle, Pang, Stone: The Linear Complementarity
        Problem, section 5.2), at most `SWEEPS`. An effort that cannot move its joint is left alone.
    2.  where a motor is not strong enough for that, the others give way: `give_way` from there. No
        joint is thrown to catch another: bounds are not below what the joint's motor reaches, or
        would with half of its effort if the others were at their bias. Bounds of zero or more can
        always be kept where the limits of effort leave room for `bias`; else the least is passed,
        and of the range rather than of the speed.

    Args:
        effort: `(na,)` changed in place; within the box [N m].
        box: `(2, na)` lowest and highest effort, infinite for none [N m].
        bias: `(na,)` effort at which the joints do not accelerate [N m].
        Phi: `(na, na)` acceleration of the joints by efforts, seen through the constraints.
        position: `(na,)` q [rad].
        velocity: `(2, na)` q̇, once for the range and once for the speed [rad/s].
        unexplained: `(2, na)` â, acceleration seen beside that of the efforts: for the range, where
            joints rest, without noise; for the speed soon. Where it brakes,
            nothing relies on it: what pushed back may let go [rad/s²].
        limits: `(3, na)` l, u and v, infinite for none [rad, rad, rad/s].
        margins: `(2, na)` positive, of range and speed [rad, rad/s].
        times: `(3,)` horizon, in which a joint would reach the end of its range when it is slowed
            down; response, in which a velocity beyond what is allowed fades; reaction, longer than
            it takes to see what an effort did [s].
        tolerance: Acceleration taken from a joint from which holding back counts [rad/s²].
        scratch: `(SCRATCH_ROWS, na)`; where a joint was held back row `UNHELD` becomes the
            acceleration it would have had and `ALLOWED` the bound [rad/s²].
        matrices: `(2, na, na)` scratch.
        kinds: `(na,)` becomes, where what counts was held back, `BY_RANGE` or `BY_SPEED` if at most
            `NEAR_PART` of the speed that range or speed allow is left, or the joint is within the
            margin, `BY_ACCELERATION` farther away; else 0.

    Returns:
        Whether any effort that counts was held back.
    """
    kinds[:] = 0
    acceleration, bounds = scratch[ACCELERATION], scratch[BOUNDS:WANTED]
    accelerate(Phi, effort, bias, acceleration)
    near = scratch[NEAR:UNHELD]
    if not bound_accelerations(
        acceleration,
        box,
        bias,
        Phi,
        position,
        velocity,
        unexplained,
        limits,
        margins,
        times,
        bounds,
        near,
    ):
        return False
    _narrow(effort, box, bias, Phi, limits, times)
    accelerate(Phi, effort, bias, acceleration)
    wanted = scratch[WANTED]
    for i in range(len(effort)):
        wanted[i] = effort[i]
    for _ in range(SWEEPS):
        if _sweep(effort, wanted, box, acceleration, Phi, bounds) <= CONVERGED:
            break
    counts = _judge(effort, Phi, tolerance, kinds, scratch)
    _relax(acceleration, box, bias, Phi, bounds, scratch)
    if _is_passed(Phi, tolerance, kinds, scratch):
        give_way(
            effort,
            box,
            bias,
            Phi,
            scratch[TIGHTEST:COMPLIANCES],
            scratch[COMPLIANCES:OTHERS],
            IMMOVABLE,
            scratch[OTHERS:],
            matrices,
        )
        counts = True
    return counts


@summing_kernel
def accelerate(Phi: Array, effort: Array, bias: Array, acceleration: Array) -> None:
    """Compute `Φ (effort − bias)`."""
    for i in range(len(effort)):
        total = 0.0
        for j in range(len(effort)):
            total += Phi[i, j] * (effort[j] - bias[j])
        acceleration[i] = total


@kernel
def bound_accelerations(
    acceleration: Array,
    box: Array,
    bias: Array,
    Phi: Array,
    position: Array,
    velocity: Array,
    unexplained: Array,
    limits: Array,
    margins: Array,
    times: Array,
    bounds: Array,
    near: Array,
) -> bool:
    """Compute the accelerations allowed, and what is near; return whether any is passed.

    Args:
        acceleration: `(na,)` of the effort [rad/s²].
        box: `(2, na)` see `keep_inside` for this and the next ones.
        bias: `(na,)`.
        Phi: `(na, na)`.
        position: `(na,)`.
        velocity: `(2, na)`.
        unexplained: `(2, na)`.
        limits: `(3, na)`.
        margins: `(2, na)`.
        times: `(3,)`.
        bounds: `(4, na)` result, by `SPEED_UP` and so on, towards each side [rad/s²].
        near: `(4, na)` result, whether the joint is near that limit.
    """
    horizon, response, reaction = times[0], times[1], times[2]
    is_any = False
    for i in range(len(position)):
        inertia = Phi[i, i]
        speed, slack = margins[1, i], margins[0, i] / horizon
        for side in range(2):
            sign = 1.0 - 2.0 * side
            v, fast = sign * velocity[0, i], sign * velocity[1, i]
            way = max(limits[1, i] - position[i] if side == 0 else position[i] - limits[0, i], 0.0)
            reach = way / horizon
            brake = 2.0 * inertia * _brake(bias[i], box[0, i], box[1, i], side)
            if brake * way < reach * reach:
                reach = math.sqrt(brake * way)
            left = limits[2, i] - fast
            bounds[SPEED_UP + side, i] = _allowed(left, speed, response, reaction, reaction)
            bounds[RANGE_UP + side, i] = _allowed(reach - v, slack, response, reaction, response)
            pushed, soon = max(sign * unexplained[0, i], 0.0), max(sign * unexplained[1, i], 0.0)
            bounds[SPEED_UP + side, i] -= soon * _nearness(left, speed)
            bounds[RANGE_UP + side, i] -= pushed * _nearness(reach - v, slack)
            near[SPEED_UP + side, i] = left <= max(speed, NEAR_PART * limits[2, i])
            near[RANGE_UP + side, i] = reach - v <= max(slack, NEAR_PART * reach)
            least = min(bounds[SPEED_UP + side, i], bounds[RANGE_UP + side, i])
            if sign * acceleration[i] > least and inertia > IMMOVABLE:
                is_any = True
    return is_any


@kernel
def _nearness(reserve: float, slack: float) -> float:
    """Return 1 up to the margin, 0 from `FAR` times it on, and what is between them in between."""
    return min(max((FAR - reserve / slack) / (FAR - 1.0), 0.0), 1.0)


@kernel
def _brake(bias: float, low: float, high: float, side: int) -> float:
    """Return the effort relied on to brake an upward (0) or downward (1) motion."""
    room = bias - low if side == 0 else high - bias
    return BRAKE_PART * max(room, LEAST_BRAKE_PART * (high - low))


@kernel
def _relax(
    acceleration: Array, box: Array, bias: Array, Phi: Array, bounds: Array, scratch: Array
) -> None:
    """Write the bounds the others give way for, one a side, and what they may be passed by.

    None is below what the joint's motor reaches, or would if the others were at their bias.
    """
    for side in range(2):
        for i in range(len(acceleration)):
            reached = acceleration[i] * (1.0 - 2.0 * side)
            alone = -Phi[i, i] * _brake(bias[i], box[0, i], box[1, i], side)
            is_range = bounds[RANGE_UP + side, i] < bounds[SPEED_UP + side, i]
            least = bounds[(RANGE_UP if is_range else SPEED_UP) + side, i]
            scratch[TIGHTEST + side, i] = max(least, min(reached, alone))
            scratch[COMPLIANCES + side, i] = RANGE_COMPLIANCE if is_range else SPEED_COMPLIANCE


@kernel
def _allowed(
    reserve: float, slack: float, response: float, reaction: float, return_time: float
) -> float:
    """Return the acceleration allowed by a reserve of speed; steady in it."""
    if reserve <= 0.0:
        return reserve / return_time
    if reserve >= slack:
        return reserve / reaction
    return min(reserve / reaction, reserve / (response * (1.0 - reserve / slack)))


@kernel
def _narrow(
    effort: Array, box: Array, bias: Array, Phi: Array, limits: Array, times: Array
) -> None:
    """Bound efforts nobody limits where a speed is, so that sums keep their digits."""
    for i in range(len(effort)):
        if limits[2, i] < np.inf and Phi[i, i] > IMMOVABLE:
            most = FREE * limits[2, i] / (times[2] * Phi[i, i])
            if box[0, i] == -np.inf:
                effort[i] = max(effort[i], bias[i] - most)
            if box[1, i] == np.inf:
                effort[i] = min(effort[i], bias[i] + most)


@kernel
def _sweep(
    effort: Array, wanted: Array, box: Array, acceleration: Array, Phi: Array, bounds: Array
) -> float:
    """Bring each joint to its bounds, one after the other; return the largest change [rad/s²]."""
    n = len(effort)
    largest = 0.0
    for i in range(n):
        if Phi[i, i] <= IMMOVABLE:
            continue
        upper = min(bounds[SPEED_UP, i], bounds[RANGE_UP, i]) - acceleration[i]
        lower = -min(bounds[SPEED_DOWN, i], bounds[RANGE_DOWN, i]) - acceleration[i]
        if lower > upper:  # too fast for a range so small
            lower = upper = 0.5 * (lower + upper)
        change = wanted[i] - effort[i]
        change = min(max(change, lower / Phi[i, i]), upper / Phi[i, i])
        new = min(max(effort[i] + change, box[0, i]), box[1, i])
        change = new - effort[i]
        if change == 0.0:
            continue
        effort[i] = new
        for j in range(n):
            acceleration[j] += Phi[j, i] * change
        largest = max(largest, abs(change) * Phi[i, i])
    return largest


@kernel
def _judge(
    effort: Array, Phi: Array, tolerance: float, kinds: npt.NDArray[np.int8], scratch: Array
) -> bool:
    """Note which joints were held back by their own motors, and by which limit."""
    acceleration, wanted = scratch[ACCELERATION], scratch[WANTED]
    counts = False
    for i in range(len(kinds)):
        taken = (wanted[i] - effort[i]) * Phi[i, i]
        if abs(taken) > tolerance:
            _note(i, 0 if taken > 0.0 else 1, acceleration[i] + taken, kinds, scratch)
            counts = True
    return counts


@kernel
def _is_passed(Phi: Array, tolerance: float, kinds: npt.NDArray[np.int8], scratch: Array) -> bool:
    """Tell whether a joint passes a bound still, and note those that do by what counts."""
    acceleration, tightest = scratch[ACCELERATION], scratch[TIGHTEST:COMPLIANCES]
    is_any = False
    for i in range(len(acceleration)):
        if Phi[i, i] <= IMMOVABLE:
            continue
        for side in range(2):
            excess = acceleration[i] * (1.0 - 2.0 * side) - tightest[side, i]
            if excess > CONVERGED:
                is_any = True
                if excess > tolerance:
                    _note(i, side, acceleration[i], kinds, scratch)
    return is_any


@kernel
def _note(i: int, side: int, unheld: float, kinds: npt.NDArray[np.int8], scratch: Array) -> None:
    """Write what holds back a joint: the limit it is near, or else its acceleration."""
    by_range, by_speed = scratch[BOUNDS + RANGE_UP + side, i], scratch[BOUNDS + SPEED_UP + side, i]
    is_range = by_range < by_speed
    if scratch[NEAR + (RANGE_UP if is_range else SPEED_UP) + side, i] == 0.0:
        kinds[i] = BY_ACCELERATION
    else:
        kinds[i] = BY_RANGE if is_range else BY_SPEED
    scratch[UNHELD, i] = unheld
    scratch[ALLOWED, i] = min(by_range, by_speed) * (1.0 - 2.0 * side)
