"""How a sole is turned that lies on ground that slopes."""

from math import atan2, hypot, sqrt

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import quaternion

LEVEL = (0.0, 0.0)
"""Slope of level ground."""
LEAST_SLOPE = 0.035  # [-] two degrees: standing soles are off level ground by as much
STEEPEST = 0.5  # [-] that a sole stands on


def slope_under(rotation: Array) -> tuple[float, float]:
    """Return how the ground slopes under a sole [-], from its axes in the world, `(3, 3)`."""
    x, y, z = rotation[:, 2].tolist()
    is_slope = z > 0.0 and LEAST_SLOPE * z < hypot(x, y) < STEEPEST * z
    return (-x / z, -y / z) if is_slope else LEVEL


def yaw_on(slope: tuple[float, float], rotation: Array) -> float:
    """Return the yaw of a sole that lies on a slope [rad], from its axes in the world, `(3, 3)`."""
    ahead = rotation[:, 0]
    if slope != LEVEL:
        x, y = slope
        ahead = quaternion.rotate(_tilt(-x, -y), ahead)
    return atan2(ahead[1], ahead[0])


def _tilt(x: float, y: float) -> Array:
    """Return the shortest rotation from the vertical to the normal of a slope, xyzw."""
    found: Array = np.array([y, -x, 0.0, 1.0 + sqrt(1.0 + x * x + y * y)])
    return found / sqrt(found @ found)
