"""Motion of a point fixed to a body."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]


@kernel
def frame_motion(
    rotation: Array,
    translation: Array,
    frame_jacobian: Array,
    frame_bias: Array,
    v: Array,
    point: Array,
    position: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> None:
    """Move a frame's Jacobian, velocity and bias from its origin to a point fixed to it.

    With `r = R p`: position `o + r`, linear Jacobian `J_v − [r]× J_ω`, linear bias
    `a + α × r + ω × (ω × r)`; the angular parts stay.

    Args:
        rotation: `(3, 3)` R, the frame's axes in the world.
        translation: `(3,)` o, the frame's origin in the world [m].
        frame_jacobian: `(6, nv)` linear then angular, world-aligned, at the origin.
        frame_bias: `(6,)` `J̇ v` of the same.
        v: `(nv,)`.
        point: `(3,)` p, in the frame's axes [m].
        position: `(3,)` result [m].
        jacobian: `(6, nv)` result.
        velocity: `(6,)` result, `J v`.
        bias: `(6,)` result, `J̇ v`.
    """
    nv = len(v)
    x = rotation[0, 0] * point[0] + rotation[0, 1] * point[1] + rotation[0, 2] * point[2]
    y = rotation[1, 0] * point[0] + rotation[1, 1] * point[1] + rotation[1, 2] * point[2]
    z = rotation[2, 0] * point[0] + rotation[2, 1] * point[1] + rotation[2, 2] * point[2]
    position[0] = translation[0] + x
    position[1] = translation[1] + y
    position[2] = translation[2] + z
    for i in range(6):
        velocity[i] = 0.0
    for k in range(nv):
        wx, wy, wz = frame_jacobian[3, k], frame_jacobian[4, k], frame_jacobian[5, k]
        jacobian[0, k] = frame_jacobian[0, k] + wy * z - wz * y
        jacobian[1, k] = frame_jacobian[1, k] + wz * x - wx * z
        jacobian[2, k] = frame_jacobian[2, k] + wx * y - wy * x
        jacobian[3, k] = wx
        jacobian[4, k] = wy
        jacobian[5, k] = wz
        for i in range(6):
            velocity[i] += jacobian[i, k] * v[k]
    wx, wy, wz = velocity[3], velocity[4], velocity[5]
    ax, ay, az = frame_bias[3], frame_bias[4], frame_bias[5]
    turning = wx * x + wy * y + wz * z
    speed = wx * wx + wy * wy + wz * wz
    bias[0] = frame_bias[0] + ay * z - az * y + wx * turning - x * speed
    bias[1] = frame_bias[1] + az * x - ax * z + wy * turning - y * speed
    bias[2] = frame_bias[2] + ax * y - ay * x + wz * turning - z * speed
    bias[3] = ax
    bias[4] = ay
    bias[5] = az


@kernel
def heading_motion(
    rotation: Array,
    motion_jacobian: Array,
    velocity: Array,
    motion_bias: Array,
    body_vector: Array,
    heading: Array,
    jacobian: Array,
    bias: Array,
) -> None:
    """Write the motion of a direction fixed to a body.

    `h = R b`, `J = −[h]× J_ω`, `J̇ v = α × h + ω × (ω × h)`.

    Args:
        rotation: `(3, 3)` R.
        motion_jacobian: `(6, nv)` of the body, world-aligned.
        velocity: `(6,)` of the body.
        motion_bias: `(6,)` of the body.
        body_vector: `(3,)` b, unit length.
        heading: `(3,)` result h.
        jacobian: `(3, nv)` result.
        bias: `(3,)` result.
    """
    for i in range(3):
        heading[i] = 0.0
        for j in range(3):
            heading[i] += rotation[i, j] * body_vector[j]
    x, y, z = heading[0], heading[1], heading[2]
    for k in range(motion_jacobian.shape[1]):
        wx, wy, wz = motion_jacobian[3, k], motion_jacobian[4, k], motion_jacobian[5, k]
        jacobian[0, k] = wy * z - wz * y
        jacobian[1, k] = wz * x - wx * z
        jacobian[2, k] = wx * y - wy * x
    wx, wy, wz = velocity[3], velocity[4], velocity[5]
    ax, ay, az = motion_bias[3], motion_bias[4], motion_bias[5]
    turning = wx * x + wy * y + wz * z
    speed = wx * wx + wy * wy + wz * wz
    bias[0] = ay * z - az * y + wx * turning - x * speed
    bias[1] = az * x - ax * z + wy * turning - y * speed
    bias[2] = ax * y - ay * x + wz * turning - z * speed
