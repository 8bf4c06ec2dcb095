"""Footstep: where a foot shall stand."""

from enum import Enum
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


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
    """

    side: Side
    position: Array
    yaw: float

    def from_here(self, forward: float, left: float) -> Array:
        """Return a point seen from the foot, in the world, `(3,)` [m]."""
        c, s = cos(self.yaw), sin(self.yaw)
        way: Array = np.array([c * forward - s * left, s * forward + c * left, 0.0])
        point: Array = self.position + way
        return point

    def seen(self, way: Array) -> Array:
        """Return a way in the world along the axes of the foot: forward, to the left, `(2,)`."""
        c, s = cos(self.yaw), sin(self.yaw)
        return np.array([c * way[0] + s * way[1], c * way[1] - s * way[0]])


def short_way(start: float, end: float) -> float:
    """Return how far it is from one yaw to another, the short way round [rad]."""
    return (end - start + pi) % (2.0 * pi) - pi
