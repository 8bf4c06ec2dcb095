"""Quintic: a motion from one state to another in a given time."""

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array


class Quintic:
    """The polynomial of fifth order between two states: see `kernels.quintic_parts`.

    Args:
        start: `(3, n)` position, velocity, acceleration in the beginning.
        end: `(3, n)` the same in the end.
        duration: T [s], above zero.
    """

    def __init__(self, start: Array, end: Array, duration: float) -> None:
        self.duration = duration
        self._end = end
        self._parts: Array = np.empty((6, end.shape[1]))
        kernels.quintic_parts(start, end, duration, self._parts)

    def at(self, time: float) -> Array:
        """Return `(3, n)` some time [s] after the beginning; after the end, the end."""
        if time >= self.duration:
            return self._end
        motion = np.empty(self._end.shape)
        kernels.quintic_motion(self._parts, self.duration, max(time, 0.0), motion)
        return motion


def at_rest(position: Array) -> Array:
    """Return `(3, n)` of a point that stays, at `(n,)`."""
    motion = np.zeros((3, len(position)))
    motion[0] = position
    return motion
