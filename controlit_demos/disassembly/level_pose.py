"""LevelPose: where a thing stands that stays level."""

from math import cos, radians, sin
from typing import NamedTuple

Point = tuple[float, float, float]


class LevelPose(NamedTuple):
    """Position and heading of a thing whose z axis is vertical.

    Attributes:
        position: World frame [m].
        heading: Angle about the vertical [°].
    """

    position: Point
    heading: float = 0.0

    def at(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Point:
        """Return where a point of the thing is: from its frame to the world's [m]."""
        angle = radians(self.heading)
        return (
            self.position[0] + cos(angle) * x - sin(angle) * y,
            self.position[1] + sin(angle) * x + cos(angle) * y,
            self.position[2] + z,
        )

    def moved(self, x: float, y: float, z: float, turn: float) -> "LevelPose":
        """Return the pose after a step along its own axes [m] and a turn [°]."""
        return LevelPose(self.at(x, y, z), self.heading + turn)

    @property
    def orientation(self) -> tuple[float, float, float, float]:
        """Quaternion xyzw."""
        half = radians(self.heading) / 2.0
        return (0.0, 0.0, sin(half), cos(half))
