"""Where a contact is, and how it turns, seen from the root link."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def leg_motion(
    joint_rotation: Array,
    joint_translation: Array,
    spin: Array,
    frame: Array,
    point: Array,
    ball: Array,
    root: Array,
    place: Array,
    rate: Array,
    axes: Array,
) -> None:
    """Write place and rate of a contact, and the axes of what touches.

    Args:
        joint_rotation: `(3, 3)` axes of the joint that carries the frame, in the root link.
        joint_translation: `(3,)` its origin there [m].
        spin: `(3,)` angular velocity of its body in its own axes [rad/s].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin [m].
        point: `(3,)` that touches, or the centre of the ball that does, in the frame's axes [m].
        ball: `(4,)` normal of the ground in the world, then the radius of the ball [m]; 0: none.
        root: `(3, 3)` axes of the root link in the world.
        place: `(3,)` result, in the root link [m].
        rate: `(3,)` result, its axes [rad/s].
        axes: `(3, 3)` result, of the frame there.
    """
    for i in range(3):
        rate[i], place[i] = 0.0, joint_translation[i]
        for k in range(3):
            rate[i] += joint_rotation[i, k] * spin[k]
            place[i] += joint_rotation[i, k] * frame[3, k]
        for j in range(3):
            axes[i, j] = 0.0
            for k in range(3):
                axes[i, j] += joint_rotation[i, k] * frame[k, j]
    for i in range(3):
        for j in range(3):
            place[i] += axes[i, j] * point[j]
    if ball[3] != 0.0:
        for i in range(3):
            for k in range(3):
                place[i] -= ball[3] * ball[k] * root[k, i]
