"""Footstep: where a foot shall stand."""

from enum import Enum
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.sole_turn import LEVEL

Point = tuple[float, float, float]


class Side(Enum):
    """Which foot; the value is on which side of the body it is, along y."""

    LEFT = 1
    RIGHT = -1

    @property
    def other(self) -> "Side":
        """The other foot."""
        return Side(-self.value)


class Footstep(NamedTuple):
    """A foot that lies flat on the ground.

    Attributes:
        side: Which foot.
        position: `(3,)` of the sole's contact point in the world [m].
        yaw: About z [rad].
        slope: How the ground rises there along x and y of the world [-].
    """

    side: Side
    position: Array
    yaw: float
    slope: tuple[float, float] = LEVEL

    def from_here(self, forward: float, left: float) -> Array:
        """Return a point of its ground seen from the foot, in the world, `(3,)` [m]."""
        return np.array(self.point_from_here(forward, left))

    def point_from_here(self, forward: float, left: float) -> Point:
        """Return the same as plain numbers, which are quicker where there are many [m]."""
        c, s = cos(self.yaw), sin(self.yaw)
        return self._ground(c * forward - s * left, s * forward + c * left)

    def ground_at(self, x: float, y: float) -> Array:
        """Return the point of its ground that is at a place in the world, `(3,)` [m]."""
        return np.array(self._ground(x - self.position[0], y - self.position[1]))

    def _ground(self, along_x: float, along_y: float) -> Point:
        x, y, z = self.position.tolist()
        rise = self.slope[0] * along_x + self.slope[1] * along_y
        return x + along_x, y + along_y, z + rise

    def seen(self, way: Array) -> Array:
        """Return a way in the world along the axes of the foot: forward, to the left, `(2,)`."""
        x, y, *_ = way.tolist()
        return np.array(self.along(x, y))

    def along(self, x: float, y: float) -> tuple[float, float]:
        """Return the same of a way along x and y of the world, as plain numbers."""
        c, s = cos(self.yaw), sin(self.yaw)
        return c * x + s * y, c * y - s * x


def short_way(start: float, end: float) -> float:
    """Return how far it is from one yaw to another, the short way round [rad]."""
    return (end - start + pi) % (2.0 * pi) - pi
