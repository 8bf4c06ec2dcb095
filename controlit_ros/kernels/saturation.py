"""Joints at their limits as constraints of the law: which ones, and the rows that hold them."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dot
from controlit_ros.kernels.hold_inside import BOX, MARGINS, RANGE, limit_times
from controlit_ros.kernels.keep_inside import (
    ACCELERATION,
    BOUNDS,
    IMMOVABLE,
    NEAR,
    RANGE_DOWN,
    RANGE_UP,
    SPEED_DOWN,
    SPEED_UP,
    UNHELD,
    WANTED,
    accelerate,
    bound_accelerations,
)

FREE, UP, DOWN, HIGH, LOW = range(5)
"""What holds a joint: nothing, a bound of its acceleration (upper, lower), one of its effort."""

JOINT, KIND = range(2)  # rows of the pins

POSITION, VELOCITY, UNEXPLAINED, MOTION_ROWS = 0, 1, 3, 5
SATURATION_ROWS = UNHELD

SLACK = 1e-6  # [rad/s², N m] beyond a bound; less is rounding
UNDRIVEN = 1e-9  # [kg^½ m] of a row of Eφ: such an effort moves nothing

BY_POSITION, BY_VELOCITY, BY_EFFORT = 1.0, 2.0, 3.0
"""Which limit holds a joint; negative at the lower one."""


@kernel
def are_limits_kept(
    effort: Array,
    bias: Array,
    Phi: Array,
    position: Array,
    velocity: Array,
    joints: Indices,
    limits: Array,
    paces: Array,
    round_trip: Array,
    times: Array,
    motion: Array,
    scratch: Array,
    count: Indices,
    active: Array,
) -> bool:
    """Tell whether an effort keeps all limits; then no joint is pinned any more.

    Args:
        effort: `(na,)` τ of the law without limits [N m].
        bias: `(na,)` effort at which nothing accelerates [N m].
        Phi: `(na, na)` Φ.
        position: `(n,)` q of all joints [rad].
        velocity: `(n,)` q̇ of all joints [rad/s].
        joints: `(na,)` the command joints among them.
        limits: `(BOUND_ROWS, na)` see `hold_inside`.
        paces: `(PACES,)` see `pace_limits`.
        round_trip: `(1,)` likewise [s].
        times: `(3,)` result, see `keep_inside` [s].
        motion: `(MOTION_ROWS, na)` scratch; what is unexplained is zero.
        scratch: `(SATURATION_ROWS, na)` result: `Φ (τ − bias)` and the bounds of accelerations.
        count: `(1,)` how many pins there are.
        active: `(na,)` which limit holds each joint.
    """
    limit_times(round_trip[0], paces, times)
    for i in range(len(joints)):
        motion[POSITION, i] = position[joints[i]]
        motion[VELOCITY, i] = motion[VELOCITY + 1, i] = velocity[joints[i]]
    accelerate(Phi, effort, bias, scratch[ACCELERATION])
    is_passed = bound_accelerations(
        scratch[ACCELERATION],
        limits[BOX:RANGE],
        bias,
        Phi,
        motion[POSITION],
        motion[VELOCITY:UNEXPLAINED],
        motion[UNEXPLAINED:],
        limits[RANGE:MARGINS],
        limits[MARGINS:],
        times,
        scratch[BOUNDS:WANTED],
        scratch[NEAR:UNHELD],
    )
    for i in range(len(effort)):
        if effort[i] < limits[BOX, i] or effort[i] > limits[BOX + 1, i]:
            is_passed = True
    if not is_passed and count[0] > 0:
        count[0] = 0
        for i in range(len(active)):
            active[i] = 0.0
    return not is_passed


@kernel
def write_pins(
    pins: Indices,
    count: Indices,
    without: int,
    effort: Array,
    limits: Array,
    effort_map: Array,
    dofs: Indices,
    scratch: Array,
    rows: Array,
    command: Array,
) -> None:
    """Write the rows of pinned joints, and by how much they are to change.

    An acceleration `e_jᵀ q̈`, or an effort `τ_j = Eφ_j y`, which is the row `Φ⁺_j` over the
    command joints: `Φ⁺_j U T = Eφ_j`.

    Args:
        pins: `(2, na)` joint and kind of each.
        count: `(1,)` how many there are.
        without: One that is left out; −1: none.
        effort: `(na,)` τ of the law without limits.
        limits: `(BOUND_ROWS, na)` see `hold_inside`.
        effort_map: `(na, rank)` Eφ.
        dofs: `(na,)` degrees of freedom of the command joints.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`.
        rows: `(na, nv)` result; zero where there is no pin.
        command: `(na,)` result.
    """
    na = len(effort)
    rows[:] = 0.0
    command[:] = 0.0
    for k in range(count[0]):
        if k == without:
            continue
        joint, kind = pins[JOINT, k], pins[KIND, k]
        command[k] = _bound(joint, kind, limits, scratch)
        if kind <= DOWN:
            command[k] -= scratch[ACCELERATION, joint]
            rows[k, dofs[joint]] = 1.0
        else:
            command[k] -= effort[joint]
            for j in range(na):
                rows[k, dofs[j]] = dot(effort_map[joint], effort_map[j])


@kernel
def release_first_pin(
    pins: Indices,
    count: Indices,
    effort: Array,
    bias: Array,
    Phi: Array,
    limits: Array,
    scratch: Array,
) -> None:
    """Drop the first pin if its limit is kept without it; else it becomes the last one.

    Args:
        pins: `(2, na)` joint and kind of each.
        count: `(1,)` how many there are, at least one.
        effort: `(na,)` what the law does without the first one.
        bias: `(na,)` effort at which nothing accelerates.
        Phi: `(na, na)` Φ.
        limits: `(BOUND_ROWS, na)` see `hold_inside`.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`.
    """
    joint, kind = pins[JOINT, 0], pins[KIND, 0]
    acceleration = 0.0
    for j in range(len(effort)):
        acceleration += Phi[joint, j] * (effort[j] - bias[j])
    value = acceleration if kind <= DOWN else effort[joint]
    excess = value - _bound(joint, kind, limits, scratch)
    for k in range(1, count[0]):
        pins[JOINT, k - 1], pins[KIND, k - 1] = pins[JOINT, k], pins[KIND, k]
    count[0] -= 1
    if _side(kind) * excess > -SLACK:
        pins[JOINT, count[0]], pins[KIND, count[0]] = joint, kind
        count[0] += 1


@kernel
def pin_worst(
    pins: Indices,
    count: Indices,
    effort: Array,
    bias: Array,
    Phi: Array,
    limits: Array,
    effort_map: Array,
    scratch: Array,
) -> bool:
    """Pin what is farthest beyond its limit, unless all are kept.

    Accelerations and efforts are rows of y, in whose length they are compared.

    Args:
        pins: `(2, na)` joint and kind of each.
        count: `(1,)` how many there are.
        effort: `(na,)` what the law does with these.
        bias: `(na,)` effort at which nothing accelerates.
        Phi: `(na, na)` Φ.
        limits: `(BOUND_ROWS, na)` see `hold_inside`.
        effort_map: `(na, rank)` Eφ.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`; the row `WANTED` is overwritten.

    Returns:
        Whether there is another pin.
    """
    acceleration = scratch[WANTED]
    accelerate(Phi, effort, bias, acceleration)
    worst, worst_joint, worst_kind = 0.0, -1, FREE
    for i in range(len(effort)):
        moved, driven = Phi[i, i], dot(effort_map[i], effort_map[i])
        for kind in range(UP, LOW + 1):
            is_motion = kind <= DOWN
            square = moved if is_motion else driven
            if square <= (IMMOVABLE if is_motion else UNDRIVEN**2):
                continue
            value = acceleration[i] if is_motion else effort[i]
            excess = _side(kind) * (value - _bound(i, kind, limits, scratch))
            if excess <= SLACK or excess <= worst * math.sqrt(square):
                continue
            if not _is_pinned(pins, count[0], i, is_motion):
                worst, worst_joint, worst_kind = excess / math.sqrt(square), i, kind
    if worst_kind == FREE or count[0] == pins.shape[1]:
        return False
    pins[JOINT, count[0]], pins[KIND, count[0]] = worst_joint, worst_kind
    count[0] += 1
    return True


@kernel
def report_pins(pins: Indices, count: Indices, scratch: Array, active: Array) -> None:
    """Write which limit holds each joint.

    Args:
        pins: `(2, na)` joint and kind of each.
        count: `(1,)` how many there are.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`.
        active: `(na,)` result.
    """
    for i in range(len(active)):
        active[i] = 0.0
    for k in range(count[0]):
        joint, kind = pins[JOINT, k], pins[KIND, k]
        if kind > DOWN:
            active[joint] = _side(kind) * BY_EFFORT
            continue
        speed, reach = (SPEED_UP, RANGE_UP) if kind == UP else (SPEED_DOWN, RANGE_DOWN)
        is_range = scratch[BOUNDS + reach, joint] < scratch[BOUNDS + speed, joint]
        active[joint] = _side(kind) * (BY_POSITION if is_range else BY_VELOCITY)


@kernel
def _side(kind: int) -> float:
    """Return 1 for an upper bound, −1 for a lower one."""
    return 1.0 if kind % 2 == 1 else -1.0


@kernel
def _bound(joint: int, kind: int, limits: Array, scratch: Array) -> float:
    """Return the bound of an acceleration or an effort; halfway where two exclude each other."""
    if kind == HIGH:
        return float(limits[BOX + 1, joint])
    if kind == LOW:
        return float(limits[BOX, joint])
    upper = min(scratch[BOUNDS + SPEED_UP, joint], scratch[BOUNDS + RANGE_UP, joint])
    lower = -min(scratch[BOUNDS + SPEED_DOWN, joint], scratch[BOUNDS + RANGE_DOWN, joint])
    if lower > upper:
        upper = lower = 0.5 * (lower + upper)
    return float(upper if kind == UP else lower)


@kernel
def _is_pinned(pins: Indices, count: int, joint: int, is_motion: bool) -> bool:
    for k in range(count):
        if pins[JOINT, k] == joint and (pins[KIND, k] <= DOWN) == is_motion:
            return True
    return False
