"""What a wheel on the ground cannot do."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

Vector = tuple[float, float, float]

LYING = 1e-9  # [-] sine of the angle between axle and normal below which a wheel lies on its side


@kernel
def rolling_motion(
    rotation: Array,
    motion_jacobian: Array,
    twists: Array,
    axis: Array,
    normal: Array,
    radius: float,
    roller_angle: float,
    jacobian: Array,
    bias: Array,
) -> None:
    """Write the rows of `OmniWheelContact`, which has the equations.

    Args:
        rotation: `(3, 3)` axes of the wheel's body in the world.
        motion_jacobian: `(6, nv)` of the wheel's centre and of its body, world-aligned.
        twists: `(2, 6)` velocity of the centre, then `J̇ v`.
        axis: `(3,)` axle in the body's frame, unit length.
        normal: `(3,)` of the ground in the world, unit length.
        radius: Of the wheel [m].
        roller_angle: From the axle to the direction in which the contact slides freely [rad].
        jacobian: `(2, nv)` result: along the normal, along the blocked direction.
        bias: `(2,)` result `J̇ v` [m/s²].
    """
    a = (
        rotation[0, 0] * axis[0] + rotation[0, 1] * axis[1] + rotation[0, 2] * axis[2],
        rotation[1, 0] * axis[0] + rotation[1, 1] * axis[1] + rotation[1, 2] * axis[2],
        rotation[2, 0] * axis[0] + rotation[2, 1] * axis[1] + rotation[2, 2] * axis[2],
    )
    n = (normal[0], normal[1], normal[2])
    v = (twists[0, 0], twists[0, 1], twists[0, 2])
    w = (twists[0, 3], twists[0, 4], twists[0, 5])
    upright = _dot(n, a)
    a_rate = _cross(w, a)
    upright_rate = _dot(n, a_rate)
    sine = math.sqrt(max(0.0, 1.0 - upright * upright))
    if sine < LYING:
        jacobian[:, :] = 0.0
        bias[:] = 0.0
        return
    # the arm points against the part of the normal that is square to the axle
    up = _combined(1.0, n, -upright, a)
    up_rate = _combined(-upright_rate, a, -upright, a_rate)
    up, up_rate = _unit(up, up_rate, sine)
    arm = _combined(-radius, up, 0.0, up)
    arm_rate = _combined(-radius, up_rate, 0.0, up)
    # the axle seen from above, and the direction square to it, in the ground
    along = _combined(1.0, a, -upright, n)
    along_rate = _combined(1.0, a_rate, -upright_rate, n)
    along, along_rate = _unit(along, along_rate, sine)
    across, across_rate = _cross(n, along), _cross(n, along_rate)
    cosine, swing = math.cos(roller_angle), math.sin(roller_angle)
    blocked = _combined(cosine, across, -swing, along)
    blocked_rate = _combined(cosine, across_rate, -swing, along_rate)
    normal_lever, blocked_lever = _cross(arm, n), _cross(arm, blocked)
    for k in range(motion_jacobian.shape[1]):
        column = (motion_jacobian[0, k], motion_jacobian[1, k], motion_jacobian[2, k])
        turn = (motion_jacobian[3, k], motion_jacobian[4, k], motion_jacobian[5, k])
        jacobian[0, k] = _dot(n, column) + _dot(normal_lever, turn)
        jacobian[1, k] = _dot(blocked, column) + _dot(blocked_lever, turn)
    slip = _combined(1.0, v, 1.0, _cross(w, arm))
    linear = (twists[1, 0], twists[1, 1], twists[1, 2])
    angular = (twists[1, 3], twists[1, 4], twists[1, 5])
    change = _combined(1.0, _cross(angular, arm), 1.0, _cross(w, arm_rate))
    change = _combined(1.0, linear, 1.0, change)
    bias[0] = _dot(n, change)
    bias[1] = _dot(blocked, change) + _dot(blocked_rate, slip)


@kernel
def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def _combined(x: float, a: Vector, y: float, b: Vector) -> Vector:
    """Return `x a + y b`."""
    return (x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2])


@kernel
def _unit(a: Vector, rate: Vector, length: float) -> tuple[Vector, Vector]:
    """Return the direction of a vector of known length and its rate of change."""
    direction = (a[0] / length, a[1] / length, a[2] / length)
    rate = (rate[0] / length, rate[1] / length, rate[2] / length)
    stretch = _dot(direction, rate)
    return direction, _combined(1.0, rate, -stretch, direction)
