"""Joints at ends of their ranges as constraints of the law: which ones, and their rows."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.hold_inside import BOX, MARGINS, RANGE, limit_times
from controlit_ros.kernels.keep_inside import (
    ACCELERATION,
    BOUNDS,
    IMMOVABLE,
    NEAR,
    RANGE_DOWN,
    RANGE_UP,
    UNHELD,
    WANTED,
    accelerate,
    bound_accelerations,
)

UP, DOWN = 1, -1  # sides of a range

JOINT, SIDE = range(2)  # rows of the pins

POSITION, VELOCITY, UNEXPLAINED, MOTION_ROWS = 0, 1, 3, 5
SATURATION_ROWS = UNHELD

SLACK = 1e-6  # [rad/s²] beyond a bound; less is rounding
NOTICED = 1e-3  # [rad/s²] beyond a bound, less does not begin to matter: at rest joints tremble


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
    """Check whether an effort keeps all joints in their ranges; then none is pinned any more.

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
        active: `(na,)` the side at which each joint is held.
    """
    limit_times(round_trip[0], paces, times)
    for i in range(len(joints)):
        motion[POSITION, i] = position[joints[i]]
        motion[VELOCITY, i] = motion[VELOCITY + 1, i] = velocity[joints[i]]
    accelerate(Phi, effort, bias, scratch[ACCELERATION])
    bound_accelerations(
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
    is_passed = False
    for i in range(len(effort)):
        value, bounds = scratch[ACCELERATION, i], scratch[BOUNDS:WANTED, i]
        excess = max(value - bounds[RANGE_UP], -value - bounds[RANGE_DOWN])
        if excess > NOTICED and Phi[i, i] > IMMOVABLE:
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
    dofs: Indices,
    scratch: Array,
    rows: Array,
    command: Array,
) -> int:
    """Write the rows of pinned joints, and by how much they are to change; return how many.

    Args:
        pins: `(2, na)` joint and side of each.
        count: `(1,)` how many there are.
        without: One that is left out; −1: none.
        dofs: `(na,)` degrees of freedom of the command joints.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`.
        rows: `(na, nv)` result, the last ones.
        command: `(na,)` likewise [rad/s²].
    """
    row = len(command)
    for k in range(count[0]):
        if k == without:
            continue
        row -= 1
        joint = pins[JOINT, k]
        command[row] = _bound(joint, pins[SIDE, k], scratch) - scratch[ACCELERATION, joint]
        for j in range(rows.shape[1]):
            rows[row, j] = 0.0
        rows[row, dofs[joint]] = 1.0
    return len(command) - row


@kernel
def release_first_pin(
    pins: Indices, count: Indices, effort: Array, bias: Array, Phi: Array, scratch: Array
) -> None:
    """Drop the first pin if its limit is kept without it; else it becomes the last one.

    Args:
        pins: `(2, na)` joint and side of each.
        count: `(1,)` how many there are, at least one.
        effort: `(na,)` what the law does without the first one.
        bias: `(na,)` effort at which nothing accelerates.
        Phi: `(na, na)` Φ.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`.
    """
    joint, side = pins[JOINT, 0], pins[SIDE, 0]
    acceleration = 0.0
    for j in range(len(effort)):
        acceleration += Phi[joint, j] * (effort[j] - bias[j])
    for k in range(1, count[0]):
        pins[JOINT, k - 1], pins[SIDE, k - 1] = pins[JOINT, k], pins[SIDE, k]
    count[0] -= 1
    if side * (acceleration - _bound(joint, side, scratch)) > -SLACK:
        pins[JOINT, count[0]], pins[SIDE, count[0]] = joint, side
        count[0] += 1


@kernel
def pin_worst(
    pins: Indices, count: Indices, effort: Array, bias: Array, Phi: Array, scratch: Array
) -> float:
    """Pin the joint that is farthest beyond its limit of those that are not pinned.

    Accelerations are rows of y, in whose length they are compared.

    Args:
        pins: `(2, na)` joint and side of each.
        count: `(1,)` how many there are.
        effort: `(na,)` what the law does with these.
        bias: `(na,)` effort at which nothing accelerates.
        Phi: `(na, na)` Φ.
        scratch: `(SATURATION_ROWS, na)` of `are_limits_kept`; the row `WANTED` is overwritten.

    Returns:
        How far beyond its limit that is, in the length of y; 0: all limits are kept.
    """
    acceleration = scratch[WANTED]
    accelerate(Phi, effort, bias, acceleration)
    worst, worst_joint, worst_side = 0.0, -1, UP
    for i in range(len(effort)):
        if Phi[i, i] <= IMMOVABLE or _is_pinned(pins, count[0], i):
            continue
        for side in (UP, DOWN):
            excess = side * (acceleration[i] - _bound(i, side, scratch))
            if excess > SLACK and excess > worst * math.sqrt(Phi[i, i]):
                worst, worst_joint, worst_side = excess / math.sqrt(Phi[i, i]), i, side
    if worst_joint >= 0 and count[0] < pins.shape[1]:
        pins[JOINT, count[0]], pins[SIDE, count[0]] = worst_joint, worst_side
        count[0] += 1
    return worst


@kernel
def report_pins(pins: Indices, count: Indices, active: Array) -> None:
    """Write at which side each joint is held.

    Args:
        pins: `(2, na)` joint and side of each.
        count: `(1,)` how many there are.
        active: `(na,)` result; zero for joints that are free.
    """
    for i in range(len(active)):
        active[i] = 0.0
    for k in range(count[0]):
        active[pins[JOINT, k]] = pins[SIDE, k]


@kernel
def _bound(joint: int, side: int, scratch: Array) -> float:
    """Return the bound of an acceleration; halfway where upper and lower exclude each other."""
    upper, lower = scratch[BOUNDS + RANGE_UP, joint], -scratch[BOUNDS + RANGE_DOWN, joint]
    if lower > upper:
        upper = lower = 0.5 * (lower + upper)
    return float(upper if side == UP else lower)


@kernel
def _is_pinned(pins: Indices, count: int, joint: int) -> bool:
    for k in range(count):  # noqa: SIM110 - numba compiles no generators
        if pins[JOINT, k] == joint:
            return True
    return False
