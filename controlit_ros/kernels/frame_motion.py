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
