"""Where points of a body are."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def placed_points(
    joint_rotation: Array, joint_translation: Array, frame: Array, points: Array, placed: Array
) -> None:
    """Write where points that are fixed to a frame are in the world.

    Args:
        joint_rotation: `(3, 3)` axes of the joint that carries the frame, in the world.
        joint_translation: `(3,)` its origin in the world [m].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin [m].
        points: `(k, 3)` in the frame's axes [m].
        placed: `(k or more, 3)` result [m].
    """
    for k in range(len(points)):
        x, y, z = points[k, 0], points[k, 1], points[k, 2]
        a = frame[3, 0] + frame[0, 0] * x + frame[0, 1] * y + frame[0, 2] * z
        b = frame[3, 1] + frame[1, 0] * x + frame[1, 1] * y + frame[1, 2] * z
        c = frame[3, 2] + frame[2, 0] * x + frame[2, 1] * y + frame[2, 2] * z
        for i in range(3):
            placed[k, i] = joint_translation[i] + (
                joint_rotation[i, 0] * a + joint_rotation[i, 1] * b + joint_rotation[i, 2] * c
            )
