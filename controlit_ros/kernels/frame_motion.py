"""Motion of a point fixed to a body."""

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel


@kernel
def frame_motion(
    J: Array,
    dJ: Array,
    v: Array,
    joint_rotation: Array,
    joint_translation: Array,
    frame: Array,
    moves: Flags,
    point: Array,
    pose: Array,
    jacobian: Array,
    twists: Array,
) -> None:
    """Write pose, Jacobian, velocity and bias of a point fixed to a frame.

    A joint's column of J is the velocity `(o, w)` it gives its body, of the point at the world's
    origin. At `x`: linear Jacobian `o + w × x`, linear bias `a + α × x + ω × ẋ` with `(a, α)` equal
    to `dJ v` and `ẋ` the velocity of x; the angular parts stay.

    Args:
        J: `(nv, 6)` columns of the joints as rows, linear then angular, world axes.
        dJ: `(nv, 6)` time derivative of J.
        v: `(nv,)`.
        joint_rotation: `(3, 3)` axes of the joint that carries the frame, in the world.
        joint_translation: `(3,)` its origin in the world [m].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin [m].
        moves: `(nv,)` which columns move the frame.
        point: `(3,)` in the frame's axes [m].
        pose: `(4, 3)` result: rotation of the frame, then position of the point [m].
        jacobian: `(6, nv)` result: of the point, then of the rotation, world-aligned.
        twists: `(2, 6)` result: `J v`, then `J̇ v`.
    """
    for i in range(3):
        for j in range(3):
            pose[i, j] = (
                joint_rotation[i, 0] * frame[0, j]
                + joint_rotation[i, 1] * frame[1, j]
                + joint_rotation[i, 2] * frame[2, j]
            )
        pose[3, i] = joint_translation[i] + (
            joint_rotation[i, 0] * frame[3, 0]
            + joint_rotation[i, 1] * frame[3, 1]
            + joint_rotation[i, 2] * frame[3, 2]
        )
    for i in range(3):
        pose[3, i] += pose[i, 0] * point[0] + pose[i, 1] * point[1] + pose[i, 2] * point[2]
    x, y, z = pose[3, 0], pose[3, 1], pose[3, 2]
    velocity, bias = twists[0], twists[1]
    for i in range(6):
        velocity[i] = 0.0
        bias[i] = 0.0
    for k in range(len(v)):
        if not moves[k]:
            for i in range(6):
                jacobian[i, k] = 0.0
            continue
        wx, wy, wz = J[k, 3], J[k, 4], J[k, 5]
        jacobian[0, k] = J[k, 0] + wy * z - wz * y
        jacobian[1, k] = J[k, 1] + wz * x - wx * z
        jacobian[2, k] = J[k, 2] + wx * y - wy * x
        jacobian[3, k] = wx
        jacobian[4, k] = wy
        jacobian[5, k] = wz
        for i in range(6):
            velocity[i] += jacobian[i, k] * v[k]
            bias[i] += dJ[k, i] * v[k]
    wx, wy, wz = velocity[3], velocity[4], velocity[5]
    ax, ay, az = bias[3], bias[4], bias[5]
    bias[0] += ay * z - az * y + wy * velocity[2] - wz * velocity[1]
    bias[1] += az * x - ax * z + wz * velocity[0] - wx * velocity[2]
    bias[2] += ax * y - ay * x + wx * velocity[1] - wy * velocity[0]


@kernel
def heading_motion(
    rotation: Array,
    motion_jacobian: Array,
    velocity: Array,
    motion_bias: Array,
    body_vector: Array,
    heading: Array,
    jacobian: Array,
    heading_velocity: Array,
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
        heading_velocity: `(3,)` result `ω × h`.
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
    heading_velocity[0] = wy * z - wz * y
    heading_velocity[1] = wz * x - wx * z
    heading_velocity[2] = wx * y - wy * x
    turning = wx * x + wy * y + wz * z
    speed = wx * wx + wy * wy + wz * wz
    bias[0] = ay * z - az * y + wx * turning - x * speed
    bias[1] = az * x - ax * z + wy * turning - y * speed
    bias[2] = ax * y - ay * x + wz * turning - z * speed


@kernel
def copy_motion(
    motion_position: Array,
    motion_jacobian: Array,
    motion_twists: Array,
    first: int,
    position: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> None:
    """Copy three rows of a motion, one call instead of four.

    Args:
        motion_position: `(n,)`.
        motion_jacobian: `(6, nv)`.
        motion_twists: `(2, 6)` velocity, bias.
        first: Row to begin with: 0 the linear, 3 the angular part.
        position: `(n,)` result.
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result.
        bias: `(3,)` result.
    """
    for i in range(len(position)):
        position[i] = motion_position[i]
    for i in range(3):
        velocity[i] = motion_twists[0, first + i]
        bias[i] = motion_twists[1, first + i]
        for k in range(jacobian.shape[1]):
            jacobian[i, k] = motion_jacobian[first + i, k]
