"""Comparison of a measurement with the one before it and with what a robot can do."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.measurement_layout import (
    ANGULAR,
    BASE_JUMP,
    BASE_LENGTH,
    BASE_PLACE,
    BASE_SPEED,
    BASE_SPIN,
    BASE_STEP,
    BASE_TURN,
    FASTEST,
    GOOD,
    GROWTH,
    JITTER,
    JOINTS_AT,
    JUMP,
    KINDS,
    LIMIT,
    LINEAR,
    LOWER,
    NOT_FINITE,
    NOT_FOLLOWED,
    PLACE,
    PLACE_AT,
    QUATERNION_AT,
    RANGE,
    SPEED,
    SPEED_JUMP,
    STEP,
    SURGE,
    SURPRISE,
    TURN,
    TWIST_AT,
    UPPER,
)

SHORTEST, LONGEST = 0.25, 4.0  # [-] square of the length of a quaternion that means a rotation
FOLLOWED = 0.25  # [-] of the way of a new speed that shows at least: it may have come late
TELLING = 4.0  # [-] of the surprise: a speed from which on its own way has to show


@kernel
def incredible(
    found: Array,
    last: Array,
    bounds: Array,
    base_bounds: Array,
    elapsed: float,
    since: float,
    with_base: bool,
) -> int:
    """Return what is wrong with a measurement after a good one, by both of the next kernels.

    Args:
        found: `(16 + 4 n,)` as in `implausible`, as are the next three, and the last.
        last: `(16 + 4 n,)`.
        bounds: `(JOINT_BOUNDS, n)`.
        base_bounds: `(BASE_BOUNDS,)`.
        elapsed: Longest time that may have passed [s].
        since: The time between the two measurements, if speeds have to show in positions; else 0.
        with_base: Whether the base counts.
    """
    code = implausible(found, last, bounds, base_bounds, elapsed, with_base)
    if code == GOOD and since > 0.0:
        code = not_followed(found, last, bounds, since, True)
    return code


@kernel
def implausible(
    found: Array,
    last: Array,
    bounds: Array,
    base_bounds: Array,
    elapsed: float,
    with_base: bool,
) -> int:
    """Return what is wrong with a measurement: `index * KINDS + kind`; `GOOD`: nothing.

    A joint may have moved by `step + limit elapsed + |speed| JITTER` since, and
    its speed changed by `surge (1 + elapsed / GROWTH)`.

    Args:
        found: `(16 + 4 n,)` the measurement, `RobotState.motion`.
        last: `(16 + 4 n,)` the good one before it.
        bounds: `(JOINT_BOUNDS, n)` lowest and highest position, highest speed, by how much a speed
            may change at once, its limit, how far a position may jump, what it may jump by besides
            without having moved: a whole turn, or 0, and the change of a speed that may be noise.
        base_bounds: `(BASE_BOUNDS,)` farthest coordinate [m], highest speed [m/s] and angular speed
            [rad/s], how far it may jump [m and rad].
        elapsed: Longest time that may have passed between the two [s]; infinite: they may differ.
        with_base: Whether the base counts.
    """
    n = bounds.shape[1]
    for i in range(PLACE_AT, len(found)):
        if not math.isfinite(found[i]):
            return i * KINDS + NOT_FINITE
    for i in range(n):
        position, speed = found[JOINTS_AT + i], found[JOINTS_AT + n + i]
        if not bounds[LOWER, i] <= position <= bounds[UPPER, i]:
            return i * KINDS + RANGE
        if abs(speed) > bounds[FASTEST, i]:
            return i * KINDS + SPEED
        before, surge = last[JOINTS_AT + n + i], bounds[SURGE, i]
        if abs(speed - before) > surge * (1.0 + elapsed / GROWTH):
            return i * KINDS + SPEED_JUMP
        moved = abs(position - last[JOINTS_AT + i])
        reach = bounds[STEP, i] + bounds[LIMIT, i] * elapsed
        reach += max(abs(before), abs(speed)) * JITTER
        if moved > reach:
            turn = bounds[TURN, i]
            if turn == 0.0 or abs(moved - turn * round(moved / turn)) > reach:
                return i * KINDS + JUMP
    return _implausible_base(found, last, base_bounds, elapsed) if with_base else GOOD


@kernel
def not_followed(
    found: Array, last: Array, bounds: Array, elapsed: float, is_believed: bool
) -> int:
    """Return what is wrong with a measurement whose speeds do not show in its positions.

    With the `surprise` s, and x⁺ = max(x, 0), after one that is believed

        |q − q_last − q̇_last t| ≥ (|q̇ − q̇_last| − s)⁺ t / 4
        |q − q_last| ≥ (|q̇| − 4 s)⁺ t / 4

    Positions of which each is wrong by e at most show a change v of the speed at the k-th look, if
    not before, where v (3 k / 4 - 1) ≥ 2 e / t: with little noise the second, since the change may
    have come at the end of the first. On the speed of one that was refused nothing can be built,
    but it has to be met again:

        |q̇ − q̇_last| ≤ s        |q − q_last| ≥ (|q̇| − s)⁺ t / 4

    Args:
        found: `(16 + 4 n,)` as in `implausible`.
        last: `(16 + 4 n,)` the one before it.
        bounds: `(JOINT_BOUNDS, n)` likewise.
        elapsed: The time t between the two [s].
        is_believed: Whether the last one is.
    """
    n = bounds.shape[1]
    for i in range(n):
        speed, before = found[JOINTS_AT + n + i], last[JOINTS_AT + n + i]
        surprise, moved = bounds[SURPRISE, i], found[JOINTS_AT + i] - last[JOINTS_AT + i]
        jump, beyond = abs(speed - before) - surprise, abs(speed) - surprise
        if is_believed:
            beyond -= (TELLING - 1.0) * surprise
            if abs(moved - before * elapsed) < FOLLOWED * jump * elapsed:
                return i * KINDS + NOT_FOLLOWED
        elif jump > 0.0:
            return i * KINDS + NOT_FOLLOWED
        if abs(moved) < FOLLOWED * beyond * elapsed:
            return i * KINDS + NOT_FOLLOWED
    return GOOD


@kernel
def _implausible_base(found: Array, last: Array, bounds: Array, elapsed: float) -> int:
    square = _square(found[QUATERNION_AT:TWIST_AT])
    speed = math.sqrt(_square(found[TWIST_AT : TWIST_AT + 3]))
    spin = math.sqrt(_square(found[TWIST_AT + 3 : JOINTS_AT]))
    for i in range(3):
        if abs(found[PLACE_AT + i]) > bounds[PLACE]:
            return i * KINDS + BASE_PLACE
    if not SHORTEST <= square <= LONGEST:
        return BASE_LENGTH
    if speed > bounds[LINEAR]:
        return BASE_SPEED
    return BASE_SPIN if spin > bounds[ANGULAR] else _moved_base(found, last, bounds, elapsed)


@kernel
def _moved_base(found: Array, last: Array, bounds: Array, elapsed: float) -> int:
    moved, cosine = 0.0, 0.0
    for i in range(PLACE_AT, QUATERNION_AT):
        moved += (found[i] - last[i]) ** 2
    speed = math.sqrt(_square(last[TWIST_AT : TWIST_AT + 3]))
    if math.sqrt(moved) > bounds[BASE_STEP] + bounds[LINEAR] * elapsed + speed * JITTER:
        return BASE_JUMP
    for i in range(QUATERNION_AT, TWIST_AT):
        cosine += found[i] * last[i]
    square = _square(found[QUATERNION_AT:TWIST_AT]) * _square(last[QUATERNION_AT:TWIST_AT])
    if not 0.0 < square < math.inf:  # what was refused before means no rotation
        return BASE_TURN
    angle = 2.0 * math.acos(min(abs(cosine) / math.sqrt(square), 1.0))
    spin = math.sqrt(_square(last[TWIST_AT + 3 : JOINTS_AT]))
    if angle > bounds[BASE_STEP] + bounds[ANGULAR] * elapsed + spin * JITTER:
        return BASE_TURN
    return GOOD


@kernel
def _square(vector: Array) -> float:
    total = 0.0
    for i in range(len(vector)):
        total += vector[i] * vector[i]
    return total
