"""BaseVertical: how the base of a robot leans."""

import math
from typing import NamedTuple

from controlit_ros.model import RobotState


class BaseVertical(NamedTuple):
    """The world's vertical in the axes of the base."""

    x: float
    y: float
    z: float

    @classmethod
    def of(cls, state: RobotState) -> "BaseVertical":
        """Return that of a state."""
        x, y, z, w = state.base_orientation.tolist()
        return cls(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w + z * z - x * x - y * y)

    def angle_to(self, other: "BaseVertical") -> float:
        """Return the angle between both [rad]; of any lengths."""
        x = self.y * other.z - self.z * other.y
        y = self.z * other.x - self.x * other.z
        z = self.x * other.y - self.y * other.x
        across = math.sqrt(x * x + y * y + z * z)
        return math.atan2(across, self.x * other.x + self.y * other.y + self.z * other.z)


UPRIGHT = BaseVertical(0.0, 0.0, 1.0)
