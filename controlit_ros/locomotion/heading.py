"""Heading: bodies turn with the feet."""

from collections.abc import Sequence
from math import cos, sin

import numpy as np

from controlit_ros.locomotion.footstep import short_way
from controlit_ros.tasks import Task

_Numbers = tuple[float, float, float, float]


class Heading:
    """Leads the goals of orientations about z, from one yaw to the next.

    Args:
        tasks: Orientations in the world, with a quaternion xyzw as goal.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tuple(tasks)

    def begin(self, yaw: float) -> None:
        """Take the goals as they are for those at a yaw [rad]."""
        self._yaw = self._start = self._end = yaw
        self._level = [_turned(-yaw, *task.goal.value.tolist()) for task in self._tasks]

    def turn(self, yaw: float) -> None:
        """Go to another yaw from here on, the short way."""
        self._start = self._yaw
        self._end = self._yaw + short_way(self._yaw, yaw)

    def lead(self, part: float) -> None:
        """Be so far [0 to 1] on the way, smoothly."""
        s = min(max(part, 0.0), 1.0)
        self._yaw = self._start + s * s * (3.0 - 2.0 * s) * (self._end - self._start)
        for task, level in zip(self._tasks, self._level, strict=True):
            task.goal.assign(np.array(_turned(self._yaw, *level)))


def _turned(yaw: float, x: float, y: float, z: float, w: float) -> _Numbers:
    """Return a quaternion xyzw that is turned about z by a yaw [rad]."""
    c, s = cos(0.5 * yaw), sin(0.5 * yaw)
    return c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z
