"""Taking a measurement over: the first thing of a cycle."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.judge_measurement import judge_measurement, sequence_of
from controlit_ros.kernels.measurement_layout import (
    AGAIN,
    BELIEVED,
    HAS_GOOD,
    QUATERNION_AT,
    STAMP_AT,
    TWIST_AT,
)

ROUNDING = 1e-14  # [-] of the square of a unit quaternion's length


@kernel
def take_measurement(
    found: Array,
    last: Array,
    candidate: Array,
    bounds: Array,
    base_bounds: Array,
    with_base: bool,
    settings: Array,
    history: Array,
    now: float,
) -> int:
    """Judge a measurement by the last good one, and replace that if there is nothing to tell.

    Args:
        found: `(16 + 4 n + ...,)` the measurement, `RobotState.vector`; changed if it is stamped by
            another clock.
        last: Likewise, the last good one; changed.
        candidate: `(16 + 4 n,)` see `judge_measurement` for this and what follows.
        bounds: `(JOINT_BOUNDS, n)`.
        base_bounds: `(BASE_BOUNDS,)`.
        with_base: Whether the base counts.
        settings: `(4,)`.
        history: `(HISTORY,)`.
        now: Time on the servo's clock [s].

    Returns:
        `AGAIN`: it is the last good one once more, by its number; or what `judge_measurement`
        returns: what is `BELIEVED` was taken over.
    """
    number, size = sequence_of(found), len(candidate)
    if history[HAS_GOOD] != 0.0 and number > 0 and number == sequence_of(last):
        return AGAIN
    verdict = judge_measurement(
        found[:size],
        last[:size],
        candidate,
        bounds,
        base_bounds,
        with_base,
        settings,
        history,
        now,
    )
    if verdict == BELIEVED:
        accept_measurement(found, last, now)
    return verdict


@kernel
def accept_measurement(found: Array, last: Array, now: float) -> None:
    """Write a measurement over the last one: `(m,)`, `(m,)`, `RobotState.vector`; at a time [s].

    The time stands for a stamp of 0.
    """
    for i in range(len(found)):
        last[i] = found[i]
    if last[STAMP_AT] == 0.0:
        last[STAMP_AT] = now
    normalise_base(last)


@kernel
def normalise_base(vector: Array) -> None:
    """Give the quaternion of a `RobotState.vector` the length 1; that of no length is no turn."""
    square = 0.0
    for i in range(QUATERNION_AT, TWIST_AT):
        square += vector[i] * vector[i]
    if abs(square - 1.0) <= ROUNDING:
        return
    if square > 0.0:
        length = math.sqrt(square)
        for i in range(QUATERNION_AT, TWIST_AT):
            vector[i] /= length
    else:
        vector[TWIST_AT - 1] = 1.0
