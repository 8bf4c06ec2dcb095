"""Turns between opposite directions, as turns of a body that carries the direction along.

On the sphere of directions all ways to the opposite one are equally short, and tangent planes are
singular there. The rotation `q(t)` of a body that carries the goal g, `u = q g q*`, has neither
problem: half a turn is a quarter of the circle on the sphere of quaternions.
"""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import quaternion
from controlit_ros.model.direction import UPRIGHT
from controlit_ros.paths.angular import angular, on_sphere
from controlit_ros.paths.trajectory import TrajectorySample

NEAREST = 0.02  # [rad] from π: nearer, rounding would choose the way
NEAREST_IN_MOTION = 0.5  # [rad] likewise: nearer, the tangent plane stretches speeds too much
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def is_opposite(start: TrajectorySample, goal: Array) -> bool:
    """Return whether a direction `(3,)` and a goal of unit length are opposite, or almost so."""
    moves = start.velocity.any() or start.acceleration.any()
    nearest = NEAREST_IN_MOTION if moves else NEAREST
    return goal.size == 3 and float(np.linalg.norm(start.value + goal)) < nearest


def lift(start: TrajectorySample, goal: Array) -> TrajectorySample:
    """Return the rotation of a body that carries a goal to where a direction is.

    The body turns about the axis next to the vertical that both directions are equally far from.

    Args:
        start: `(3,)` a direction of unit length that is opposite to the goal, and how it moves.
        goal: `(3,)` of unit length.

    Returns:
        `(4,)` quaternion xyzw and its derivatives; at the goal it is `IDENTITY`.
    """
    u, u_dot, u_ddot = start
    way = (u - goal) / np.linalg.norm(u - goal)
    axis = np.array([0.0, 0.0, 1.0]) - way[2] * way
    if axis @ axis < UPRIGHT * UPRIGHT:
        axis = np.array([1.0, 0.0, 0.0]) - way[0] * way
    axis /= np.linalg.norm(axis)
    cosine = float(u @ goal - (axis @ u) * (axis @ goal))
    half = 0.5 * math.atan2(float(axis @ np.cross(goal, u)), cosine)
    turn = np.append(math.sin(half) * axis, math.cos(half))
    return on_sphere(TrajectorySample(turn, np.cross(u, u_dot), np.cross(u, u_ddot)))


def lower(turn: TrajectorySample, goal: Array) -> TrajectorySample:
    """Return the direction of a goal that a body carries along, with its derivatives."""
    q, omega, alpha = angular(turn)
    u = quaternion.rotate(q, goal)
    u_dot = np.cross(omega, u)
    return TrajectorySample(u, u_dot, np.cross(alpha, u) + np.cross(omega, u_dot))
