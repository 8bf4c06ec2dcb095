"""How a sole is turned that lies on ground that slopes."""

from math import atan2, cos, hypot, sin, sqrt
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.quintic import PointMotion
from controlit_ros.model import quaternion

LEVEL = (0.0, 0.0)
"""Slope of level ground."""
LEAST_SLOPE = 0.035  # [-] two degrees: standing soles are off level ground by as much
STEEPEST = 0.5  # [-] that a sole stands on


class SoleTurn(NamedTuple):
    """An orientation and its rates.

    Attributes:
        orientation: `(4,)` xyzw.
        velocity: `(3,)` angular, in the world [rad/s].
        acceleration: `(3,)` [rad/s²].
    """

    orientation: Array
    velocity: Array
    acceleration: Array


def sole_turn(motion: PointMotion) -> SoleTurn:
    """Return how a sole is turned: about z, then the shortest way onto the slope.

    On a slope s the ground's normal is n = (−s_x, −s_y, 1) / L, L = √(1 + s²), and the shortest
    rotation of z to it has the quaternion p = (v, w) up to its length, v = (s_y, −s_x, 0),
    w = 1 + L. So the angular velocity is 2 vec(ṗ p*) / |p|² + n ψ̇.

    Args:
        motion: Yaw ψ [rad], then slope along x and y [-], `(3,)`, and their rates.
    """
    (yaw, x, y), (spin, dx, dy), (more, ddx, ddy) = (rate.tolist() for rate in motion)
    about_z = np.array([0.0, 0.0, sin(0.5 * yaw), cos(0.5 * yaw)])
    if not (x or y or dx or dy or ddx or ddy):
        return SoleTurn(about_z, np.array([0.0, 0.0, spin]), np.array([0.0, 0.0, more]))
    L = sqrt(1.0 + x * x + y * y)
    dL = (x * dx + y * dy) / L
    ddL = (dx * dx + dy * dy + x * ddx + y * ddy - dL * dL) / L
    w = 1.0 + L
    size = w * w + x * x + y * y
    grows = 2.0 * (w * dL + x * dx + y * dy) / size
    # vec(ṗ p*), and its rate
    part = np.array([w * dy - dL * y, dL * x - w * dx, dy * x - dx * y])
    change = np.array([w * ddy - ddL * y, ddL * x - w * ddx, ddy * x - ddx * y])
    up = np.array([-x, -y, 1.0]) / L
    rising = np.array([-dx, -dy, 0.0]) / L - up * (dL / L)
    return SoleTurn(
        quaternion.multiply(_tilt(x, y), about_z),
        (2.0 / size) * part + up * spin,
        (2.0 / size) * (change - grows * part) + up * more + rising * spin,
    )


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
