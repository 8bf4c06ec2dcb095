"""Comparison with limits."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.measurement_layout import (
    JOINTS_AT,
    PLACE_AT,
    QUATERNION_AT,
    STAMP_AT,
    TWIST_AT,
)


@kernel
def is_within(values: Array, lower: Array, upper: Array) -> bool:
    """Tell whether `lower <= values <= upper` everywhere; `(n,)` each."""
    for i in range(len(values)):  # noqa: SIM110 - numba compiles no generators
        if not lower[i] <= values[i] <= upper[i]:
            return False
    return True


@kernel
def is_near(motion: Array, other: Array, distance: float, age: float) -> bool:
    """Tell whether a state is hardly later than another, and no joint or base far from it.

    Args:
        motion: `(16 + 4 n,)` of a state, see `RobotState`. The quaternion, of either sign, counts
            by twice the difference of its entries.
        other: `(16 + 4 n,)` likewise.
        distance: Farthest that is near.
        age: Latest that is hardly later [s].
    """
    if motion[STAMP_AT] - other[STAMP_AT] > age:
        return False
    for i in range(JOINTS_AT, JOINTS_AT + (len(motion) - JOINTS_AT) // 4):
        if not abs(motion[i] - other[i]) <= distance:
            return False
    cosine = 0.0
    for i in range(QUATERNION_AT, TWIST_AT):
        cosine += motion[i] * other[i]
    sign = 1.0 if cosine >= 0.0 else -1.0
    for i in range(PLACE_AT, QUATERNION_AT):
        if not abs(motion[i] - other[i]) <= distance:
            return False
    for i in range(QUATERNION_AT, TWIST_AT):
        if not abs(motion[i] - sign * other[i]) <= 0.5 * distance:
            return False
    return True
