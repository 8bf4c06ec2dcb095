"""VelocitySteps: footsteps that take a robot along at a velocity."""

from math import cos, sin
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.footstep import Footstep, Side


class StepLimits(NamedTuple):
    """How far a foot goes beyond its place beside the other.

    Attributes:
        forward: [m].
        outward: [m].
        turn: [rad].
    """

    forward: float
    outward: float
    turn: float


class VelocitySteps:
    """Makes one step from another: the foot goes on by what the body does in the time of a step.

    Sideways and in turns the foot on that side takes the whole way of two steps and the other
    follows, so that legs neither cross nor touch.

    Args:
        width: Between the feet, side by side [m].
        limits: Of one step.
    """

    def __init__(self, width: float, limits: StepLimits) -> None:
        self.width = width
        self.limits = limits

    def reach(self, duration: float) -> Array:
        """Return the largest velocity that steps of a duration [s] can follow, `(3,)`."""
        limits = self.limits
        reach: Array = np.array([limits.forward, 0.5 * limits.outward, 0.5 * limits.turn])
        return reach / duration

    def beside(self, stance: Footstep) -> Footstep:
        """Return the place of the other foot beside one that stands."""
        return self.next(stance, np.zeros(3), 0.0)

    def next(self, stance: Footstep, velocity: Array, duration: float) -> Footstep:
        """Return where the other foot goes.

        Args:
            stance: The foot that stands.
            velocity: `(3,)` of the body: forward, to the left [m/s], turning [rad/s].
            duration: Of a step [s].
        """
        side, slope = stance.side.other, stance.slope
        along, across, turned = (velocity * duration).tolist()
        forward = _limited(along, self.limits.forward)
        outward = _led(side, across, self.limits.outward)
        turn = _led(side, turned, self.limits.turn)
        half = 0.5 * side.value * self.width
        yaw, aside = stance.yaw + turn, half + outward
        x, y, z = stance.point_from_here(forward, half)
        dx, dy = -sin(yaw) * aside, cos(yaw) * aside
        place = np.array([x + dx, y + dy, z + slope[0] * dx + slope[1] * dy])
        return Footstep(side, place, yaw, slope)


def first_side(velocity: Array) -> Side:
    """Return which foot goes first: the one towards which the body goes, else the right one."""
    sideways = velocity[1] if velocity[1] != 0.0 else velocity[2]
    return Side.LEFT if sideways > 0.0 else Side.RIGHT


def _led(side: Side, way: float, limit: float) -> float:
    """Return what one foot takes of a way to a side: all, or nothing."""
    return _limited(2.0 * way, limit) if way * side.value > 0.0 else 0.0


def _limited(way: float, limit: float) -> float:
    return min(max(way, -limit), limit)
