"""FlyingFoot: a foot in the air, seen from the one that stands."""

from math import sqrt
from typing import NamedTuple

from controlit_ros import kernels
from controlit_ros.arrays import Array
from controlit_ros.kernels.flying_foot import PEAK

SINKS = (
    12.0  # [m/s²] up or down, of a foot whose step is changed: stopped harder, it seems to touch
)


class FlyingFoot(NamedTuple):
    """The foot in the air; along the axes of the foot that stands, from it.

    Attributes:
        ways: `(3, 2)` its place [m], its velocity [m/s], and where it goes [m].
        remaining: Until it is down, as it goes now [s].
        height: Above where it comes down [m].
        acceleration: The greatest that it bears along the ground [m/s²].
    """

    ways: Array
    remaining: float
    height: float
    acceleration: float

    @property
    def place(self) -> Array:
        """`(2,)` [m]."""
        place: Array = self.ways[0]
        return place

    @property
    def target(self) -> Array:
        """`(2,)` where it goes [m]."""
        target: Array = self.ways[2]
        return target

    @property
    def sinking(self) -> float:
        """How long it takes at least until it is down [s]."""
        return sqrt(PEAK * max(self.height, 0.0) / SINKS)

    def time_to(self, place: Array, nearly: Array) -> float:
        """Return how long it takes until next to a place, `(2,)` off it at most [s]."""
        here, velocity, _ = self.ways
        return float(
            kernels.time_to(here, velocity, self.remaining, self.acceleration, place, nearly)
        )
