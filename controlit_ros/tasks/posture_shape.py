"""PostureShape: a goal and an actual value that are positions of joints."""

from typing import NamedTuple

from controlit_ros.arrays import Array, Indices
from controlit_ros.parameters import Parameter


class PostureShape(NamedTuple):
    """What a display draws of a posture: the robot as it shall be, and as it is.

    Attributes:
        goal: `(n,)` where the joints are to go [rad] or [m].
        actual: `(n,)` where they are [rad] or [m].
        joints: `(n,)` which joints those are, indices of real joints.
        projection: `(rows, n)` orthonormal directions of the joints' space that the task acts on;
            `None`: all. The rest of the goal means nothing.
    """

    goal: Parameter
    actual: Parameter
    joints: Indices
    projection: Array | None = None
