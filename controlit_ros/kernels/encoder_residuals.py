"""Residuals of joint encoders: against their own velocity, and against the model's response."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.measurement_layout import JOINTS_AT, STAMP_AT

# Kinds of faults.
HEALTHY, FROZEN, STUCK_VELOCITY, BIAS_STEP, DRIFT, SIGN, SWAPPED, UNRESPONSIVE = range(8)

# Rows of what is known of each joint, and of what is remembered of it.
SPEED_SCALE, LOWER_END, UPPER_END, SCALES = 0, 1, 2, 3
POSITION, VELOCITY, ABOVE, BELOW, SPEED_BEFORE, JUMPED, BEYOND, POSITION_SAME, VELOCITY_SAME = (
    range(9)
)
JOINT_ROWS = 9

# The same of the joints that are commanded.
SPEED_LIMIT, EFFORT_LIMIT, SLIDES, DRIVE_SCALES = 0, 1, 2, 3
MEASURED, EXPECTED, MEASURED_SLOW, EXPECTED_SLOW = range(4)
CALM, BOTH, ASKED, SQUARE, MISSED, LEAST_EFFORT, MOST_EFFORT = range(4, 11)
DRIVE_ROWS = 11

NEWEST, CYCLES, LATEST = range(3)  # of the ring of commands; of that of measurements
STAMP, ROUND_TRIP, PERIOD, IS_ALIVE, ELAPSED, CANDIDATE, AGREED, TIMES = range(8)
LONGEST_STEP = 2.5  # [servo periods] between measurements that are compared; stamps may be late

# What is remembered of each measurement.
WAS_AT, WAS_FAST, GAINED, PAST_ROWS = 0, 1, 2, 3

# Position against integrated velocity.
SPEED_ERROR = 0.1  # [-] of the scale: gain error and noise of a measured velocity
DISTANCE = 0.01  # [s] at the scale: distance that the velocity does not explain
LAG = 0.01  # [s] by which a measured velocity may lag behind the position
LATE = 0.005  # [s] by which a stamp may be wrong
PERSISTS = 5  # [measurements] a spike is over sooner
STEP = 0.5  # [-] of the distance at once: a step

# Response to the effort.
SMOOTHING = 0.01  # [s] of accelerations
WASH_OUT = 0.06  # [s] what is steadier than that is a load, not a response
WINDOW = 0.04  # [s] of products
IMPULSE = 0.2  # [-] of the velocity limit at once: an impact, or a lie that begins
CALM_BEFORE = 0.02  # [s] without another: what comes more often is a response
RESPONSE = 0.03  # [-] of the velocity limit: expected change of velocity that shows a response
MATCH = 0.1  # [-] part of the energy of a response that a hypothesis leaves unexplained
ALONE = 0.1  # [-] of the unexplained energy that other joints may have
TURNED = -0.4  # [-] slope of measured on expected changes from which the sign is wrong

# Joints that seem to stand still.
STILL = 0.02  # [s] with identical measurements
MISSED_SPEED = 0.05  # [-] of the velocity limit that the joint should have gained meanwhile
EFFORT_CHANGE = 0.1  # [-] of the effort limit; friction and stops hold a joint against less
END_MARGIN = 0.02  # [rad or m] from the ends of the range: stops
MANY = 3  # [joints] that stand still together: not their encoders


@kernel
def expect_response(
    effort: Array,
    bias: Array,
    Phi: Array,
    drift: Array,
    dofs: Indices,
    expected: Array,
    net: Array,
    ring: Indices,
) -> bool:
    """Write the acceleration that an effort causes, `Φ (τ − τ₀) − drift`, into a ring.

    Args:
        effort: `(na,)` τ that the robot gets.
        bias: `(na,)` τ₀ at which it does not accelerate.
        Phi: `(na, na)` Φ.
        drift: `(nv,)` see `project`.
        dofs: `(na,)` degrees of freedom of the command joints.
        expected: `(size, na)` ring of accelerations [rad/s²].
        net: `(size, na)` ring of τ − τ₀ [N m].
        ring: `(3,)` its newest row, advanced, and the cycles since the last measurement, counted.

    Returns:
        True.
    """
    na, row = len(effort), (ring[NEWEST] + 1) % len(expected)
    ring[NEWEST] = row
    ring[CYCLES] += 1
    for i in range(na):
        net[row, i] = effort[i] - bias[i]
    for i in range(na):
        acceleration = -drift[dofs[i]]
        for j in range(na):
            acceleration += Phi[i, j] * net[row, j]
        expected[row, i] = acceleration
    return True


@kernel
def check_encoders(
    motion: Array,
    scales: Array,
    drive_scales: Array,
    drives: Indices,
    suspects: Flags,
    joints: Array,
    response: Array,
    cross: Array,
    work: Array,
    expected: Array,
    net: Array,
    past: Array,
    ring: Indices,
    times: Array,
    found: Indices,
) -> int:
    """Advance all residuals by a new measurement; return the kind of fault they show.

    Position against velocity, in both directions (Page 1954), with s the scale of the joint:

        S ← max(0, S ± (Δq − q̇ Δt) − 0.1 s Δt) > 0.01 s + LAG |q̇ − q̇₀| + LATE |q̇|

    Response: measured and expected accelerations m, p are smoothed, and their products summed
    with a window; `Σ(m + p)² ≪ Σ p²` is a wrong sign, `Σ(m_i − p_j)² + Σ(m_j − p_i)²` a swapped
    pair, if no other joint deviates from its model, as forces from outside would make it.

    Args:
        motion: `(16 + 4 n,)` measured and believed, `RobotState.motion`.
        scales: `(SCALES, n)` speed that may be unseen [rad/s], lower and upper end [rad].
        drive_scales: `(DRIVE_SCALES, na)` limits of velocity and effort; whether a joint slides.
        drives: `(na,)` which joints are commanded.
        suspects: `(n,)` joints that are diagnosed already.
        joints: `(JOINT_ROWS, n)` advanced.
        response: `(DRIVE_ROWS, na)` advanced.
        cross: `(2, na, na)` Σ m pᵀ and Σ p pᵀ, advanced.
        work: `(2, na)` scratch.
        expected: `(size, na)` see `expect_response`.
        net: `(size, na)` likewise.
        past: `(PAST_ROWS, size, n)` ring of measured positions and velocities, and of the changes
            of velocity that the model expected.
        ring: `(3,)` likewise; the cycles are reset; and the latest row of `past`, advanced.
        times: `(TIMES,)` stamp of the last measurement, not a number: none; round trip of a
            command, 0: unknown; period of the servo [s]; whether a joint has moved; the time since
            the measurement before [s]; the hypothesis that fitted then, and how often in a row.
        found: `(2,)` result: joints of the fault, −1: none.

    Returns:
        The kind of fault; `HEALTHY`.
    """
    n, size = scales.shape[1], len(expected)
    elapsed, cycles, period = motion[STAMP_AT] - times[STAMP], ring[CYCLES], times[PERIOD]
    times[STAMP] = motion[STAMP_AT]
    ring[CYCLES] = 0
    found[0] = found[1] = -1
    position, velocity = (
        motion[JOINTS_AT : JOINTS_AT + n],
        motion[JOINTS_AT + n : JOINTS_AT + 2 * n],
    )
    under_way = max(round(times[ROUND_TRIP] / period), 1) - 1
    is_first = not 0.0 < elapsed < LONGEST_STEP * period
    if is_first or cycles == 0 or cycles + under_way > size // 2:
        joints[:] = 0.0
        response[:] = 0.0
        cross[:] = 0.0
        times[ELAPSED] = 0.0
        for row in range(past.shape[1]):
            for i in range(n):
                past[WAS_AT, row, i], past[WAS_FAST, row, i] = position[i], velocity[i]
                past[GAINED, row, i] = 0.0
        _keep(position, velocity, joints)
        return HEALTHY
    times[ELAPSED] = elapsed
    ring[LATEST] = latest = (ring[LATEST] + 1) % past.shape[1]
    for i in range(n):
        past[WAS_AT, latest, i], past[WAS_FAST, latest, i] = position[i], velocity[i]
        past[GAINED, latest, i] = 0.0
    kind = _check_response(
        velocity, position, scales, drive_scales, drives, suspects, joints, response, cross, work,
        expected, net, past[GAINED, latest], ring[NEWEST] - under_way, cycles, elapsed, period,
        times, found,
    )  # fmt: skip
    if kind == HEALTHY:
        kind = _check_kinematics(position, velocity, scales, suspects, joints, elapsed, found)
    _keep(position, velocity, joints)
    return kind


@kernel
def _keep(position: Array, velocity: Array, joints: Array) -> None:
    for i in range(len(position)):
        joints[POSITION, i], joints[VELOCITY, i] = position[i], velocity[i]


@kernel
def _check_kinematics(
    position: Array,
    velocity: Array,
    scales: Array,
    suspects: Flags,
    joints: Array,
    elapsed: float,
    found: Indices,
) -> int:
    """Compare positions with integrated velocities; return the kind of fault, and its joint."""
    kind, jumped = HEALTHY, 0
    for i in range(len(position)):
        scale, speed = scales[SPEED_SCALE, i], velocity[i]
        moved = position[i] - joints[POSITION, i]
        missing = moved - 0.5 * (speed + joints[VELOCITY, i]) * elapsed
        allowed = SPEED_ERROR * scale * elapsed
        if joints[ABOVE, i] == 0.0 and joints[BELOW, i] == 0.0:
            joints[SPEED_BEFORE, i] = joints[VELOCITY, i]
            joints[JUMPED, i] = 0.0
        joints[ABOVE, i] = max(0.0, joints[ABOVE, i] + missing - allowed)
        joints[BELOW, i] = max(0.0, joints[BELOW, i] - missing - allowed)
        joints[JUMPED, i] = max(joints[JUMPED, i], abs(missing))
        limit = DISTANCE * scale + LATE * abs(speed)
        limit += LAG * abs(speed - joints[SPEED_BEFORE, i])
        if max(joints[ABOVE, i], joints[BELOW, i]) <= limit or suspects[i]:
            joints[BEYOND, i] = 0.0
            continue
        joints[BEYOND, i] += 1.0
        jumped += joints[JUMPED, i] > STEP * DISTANCE * scale
        if joints[BEYOND, i] >= PERSISTS and kind == HEALTHY:
            found[0] = i
            if joints[POSITION_SAME, i] >= PERSISTS * elapsed:
                kind = FROZEN
            elif joints[VELOCITY_SAME, i] >= PERSISTS * elapsed:
                kind = STUCK_VELOCITY
            elif joints[JUMPED, i] > STEP * DISTANCE * scale:
                kind = BIAS_STEP
            else:
                kind = DRIFT
    if jumped >= min(MANY, len(position)):  # the robot was moved
        for i in range(len(position)):
            joints[ABOVE, i] = joints[BELOW, i] = joints[BEYOND, i] = 0.0
        return HEALTHY
    return kind


@kernel
def _check_response(
    velocity: Array,
    position: Array,
    scales: Array,
    drive_scales: Array,
    drives: Indices,
    suspects: Flags,
    joints: Array,
    response: Array,
    cross: Array,
    work: Array,
    expected: Array,
    net: Array,
    gains: Array,
    newest: int,
    cycles: int,
    elapsed: float,
    period: float,
    times: Array,
    found: Indices,
) -> int:
    """Compare what joints do with what the model expects; return the kind of fault."""
    na, size = len(drives), len(expected)
    smooth, slow = -math.expm1(-elapsed / SMOOTHING), -math.expm1(-elapsed / WASH_OUT)
    keep = math.exp(-elapsed / WINDOW)
    for j in range(len(position)):
        is_same = position[j] == joints[POSITION, j]
        joints[POSITION_SAME, j] = joints[POSITION_SAME, j] + elapsed if is_same else 0.0
        is_still = velocity[j] == joints[VELOCITY, j]
        joints[VELOCITY_SAME, j] = joints[VELOCITY_SAME, j] + elapsed if is_still else 0.0
        if not is_same:
            times[IS_ALIVE] = 1.0
    standing, is_diagnosed = 0, False
    for i in range(na):
        j, gained, own = drives[i], 0.0, response[:, i]
        for k in range(cycles):
            gained += period * expected[(newest - k) % size, i]
        gains[j] = gained
        is_diagnosed = is_diagnosed or suspects[j]
        effort = net[newest % size, i]
        if joints[POSITION_SAME, j] == 0.0 or joints[VELOCITY_SAME, j] == 0.0:
            own[MISSED] = 0.0
            own[LEAST_EFFORT] = own[MOST_EFFORT] = effort
        own[MISSED] += gained
        own[LEAST_EFFORT] = min(own[LEAST_EFFORT], effort)
        own[MOST_EFFORT] = max(own[MOST_EFFORT], effort)
        if _seems_frozen(i, position[j], scales[:, j], drive_scales, joints[:, j], own):
            standing += 1
            found[0] = j
        change = velocity[j] - joints[VELOCITY, j]
        if abs(change - gained) > IMPULSE * drive_scales[SPEED_LIMIT, i]:
            if own[CALM] >= CALM_BEFORE:
                change = gained
            own[CALM] = 0.0
        own[CALM] += elapsed
        acceleration = change / elapsed
        own[MEASURED] += smooth * (acceleration - own[MEASURED])
        own[EXPECTED] += smooth * (gained / elapsed - own[EXPECTED])
        own[MEASURED_SLOW] += slow * (own[MEASURED] - own[MEASURED_SLOW])
        own[EXPECTED_SLOW] += slow * (own[EXPECTED] - own[EXPECTED_SLOW])
        m, p = own[MEASURED] - own[MEASURED_SLOW], own[EXPECTED] - own[EXPECTED_SLOW]
        own[BOTH] = keep * own[BOTH] + elapsed * m * p
        own[ASKED] = keep * own[ASKED] + elapsed * p * p
        own[SQUARE] = keep * own[SQUARE] + elapsed * own[MEASURED] * own[MEASURED]
    for i in range(na):
        m, p = response[MEASURED, i], response[EXPECTED, i]
        for k in range(na):
            cross[0, i, k] = keep * cross[0, i, k] + elapsed * m * response[EXPECTED, k]
            cross[1, i, k] = keep * cross[1, i, k] + elapsed * p * response[EXPECTED, k]
    if is_diagnosed:
        return HEALTHY  # its estimate disturbs the response of the others
    if standing and times[IS_ALIVE] != 0.0:
        return FROZEN if standing < MANY else UNRESPONSIVE
    kind = _compare_hypotheses(drive_scales, drives, response, cross, work, found)
    candidate = (UNRESPONSIVE + 1) * (found[0] * len(position) + found[1]) + kind
    times[AGREED] = times[AGREED] + 1.0 if candidate == times[CANDIDATE] else 0.0
    times[CANDIDATE] = candidate
    return kind if times[AGREED] >= PERSISTS else HEALTHY


@kernel
def _seems_frozen(
    i: int, position: float, scales: Array, drive_scales: Array, joint: Array, own: Array
) -> bool:
    """Return whether a joint stays at bit-identical values while its effort should move it."""
    if joint[POSITION_SAME] < STILL or joint[VELOCITY_SAME] < STILL:
        return False
    if abs(own[MISSED]) <= MISSED_SPEED * drive_scales[SPEED_LIMIT, i]:
        return False
    change = own[MOST_EFFORT] - own[LEAST_EFFORT]
    if not change > EFFORT_CHANGE * drive_scales[EFFORT_LIMIT, i]:
        return False
    if own[MISSED] > 0.0:
        return bool(position < scales[UPPER_END] - END_MARGIN)
    return bool(position > scales[LOWER_END] + END_MARGIN)


@kernel
def _compare_hypotheses(
    drive_scales: Array,
    drives: Indices,
    response: Array,
    cross: Array,
    work: Array,
    found: Indices,
) -> int:
    """Compare signs and pairs with the healthy response; return the kind of fault."""
    na, total, unexplained, limits = len(drives), 0.0, work[0], drive_scales[SPEED_LIMIT]
    for i in range(na):
        left = response[SQUARE, i] - 2.0 * cross[0, i, i] + cross[1, i, i]
        unexplained[i] = max(left, 0.0) / limits[i] ** 2
        total += unexplained[i]
    least = RESPONSE**2 / WINDOW
    if not total > 2.0 * least:
        return HEALTHY
    for i in range(na):
        asked = cross[1, i, i]
        if unexplained[i] < (1.0 - ALONE) * total or asked < least * limits[i] ** 2:
            continue
        turned = response[SQUARE, i] + 2.0 * cross[0, i, i] + asked
        if turned < MATCH * asked and response[BOTH, i] < TURNED * response[ASKED, i]:
            found[0] = drives[i]
            return SIGN
    for i in range(na):
        for k in range(i):
            if drive_scales[SLIDES, i] != drive_scales[SLIDES, k]:
                continue
            if unexplained[i] + unexplained[k] < (1.0 - ALONE) * total:
                continue
            asked = cross[1, i, i] + cross[1, k, k]
            if min(cross[1, i, i] / limits[i] ** 2, cross[1, k, k] / limits[k] ** 2) < least:
                continue
            left = response[SQUARE, i] - 2.0 * cross[0, i, k] + cross[1, k, k]
            left += response[SQUARE, k] - 2.0 * cross[0, k, i] + cross[1, i, i]
            if left < MATCH * asked:
                found[0], found[1] = drives[k], drives[i]
                return SWAPPED
    return HEALTHY
