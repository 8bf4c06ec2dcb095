"""ErrorKind: how far it is from an actual value to a goal."""

from enum import Enum

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.direction import direction_error
from controlit_ros.model.quaternion import rotation_vector


class ErrorKind(Enum):
    """How the kernel computes a task's error."""

    DIFFERENCE = "difference"
    """Goal minus actual."""
    DIRECTION = "direction"
    """Way on the unit sphere between two unit vectors (`direction_error`)."""
    ROTATION = "rotation"
    """Rotation vector between two quaternions xyzw."""
    POSE = "pose"
    """Difference of positions, then rotation vector between the quaternions after them."""
    CUSTOM = "custom"
    """In Python, by the task's own `_error`."""

    def write_way(self, start: Array, goal: Array, way: Array) -> None:
        """Write how far it is from a value to a goal, `(dimension,)`.

        Of kinds that are the task's own it is the difference.
        """
        if self is ErrorKind.DIRECTION:
            direction_error(start, goal, out=way)
        elif self is ErrorKind.ROTATION:
            rotation_vector(start, goal, out=way)
        elif self is ErrorKind.POSE:
            np.subtract(goal[:3], start[:3], out=way[:3])
            rotation_vector(start[3:], goal[3:], out=way[3:])
        else:
            np.subtract(goal, start, out=way)
