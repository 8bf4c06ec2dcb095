"""Swing: the way of a foot through the air."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.footstep import Footstep, short_way
from controlit_ros.locomotion.quintic import PointMotion, Quintic

ARRIVES = 0.9  # [of the duration] before the ground: what is left is straight down
RISES = 0.5  # [of the duration]


class Swing:
    """A foot from one place to another, over a height; at rest in the beginning and the end.

    Along the ground it goes straight, about z the short way, and has arrived a little before it is
    down, so that it does not scrape. Past its time it sinks on, to meet ground that is lower than
    thought.

    Args:
        start: Where the foot stands.
        target: Where it shall stand.
        duration: [s].
        height: How far the sole rises above the higher of both [m].
        sinking: Speed with which it looks for the ground when its time is over [m/s].
    """

    def __init__(
        self, start: Footstep, target: Footstep, duration: float, height: float, sinking: float
    ) -> None:
        self.duration = duration
        self.target = target
        self._sinking = sinking
        here, there = start.position[2], target.position[2]
        top = PointMotion.at_rest(np.array(max(here, there) + height))
        self._rise = Quintic(PointMotion.at_rest(np.array(here)), top, RISES * duration)
        self._fall = Quintic(top, PointMotion.at_rest(np.array(there)), (1.0 - RISES) * duration)
        self._plane = Quintic(
            PointMotion.at_rest(_plane(start, start.yaw)),
            PointMotion.at_rest(_plane(target, start.yaw)),
            ARRIVES * duration,
        )
        self._since = 0.0

    def redirect(self, time: float, target: Footstep) -> None:
        """Go to another place from here on, at the same time; along the ground.

        Args:
            time: Since the foot left [s].
            target: Where it shall stand; its height stays.
        """
        rest = ARRIVES * self.duration - time
        if rest > 0.0:
            now = self._plane.at(time - self._since)
            end = _plane(target, float(now.position[2]))
            self._plane = Quintic(now, PointMotion.at_rest(end), rest)
            self._since = time
            self.target = target

    def at(self, time: float) -> PointMotion:
        """Return x, y, z [m] and yaw [rad], `(4,)`, and their rates, some time after it left."""
        plane = self._plane.at(time - self._since)
        height = self._height(time)
        return PointMotion(
            _together(plane.position, height.position),
            _together(plane.velocity, height.velocity),
            _together(plane.acceleration, height.acceleration),
        )

    def _height(self, time: float) -> PointMotion:
        rise = self._rise.duration
        if time < rise:
            return self._rise.at(time)
        late = max(time - self.duration, 0.0)
        if late == 0.0:
            return self._fall.at(time - rise)
        end = self._fall.at(self.duration)
        return PointMotion(
            end.position - self._sinking * late, np.array(-self._sinking), np.array(0.0)
        )


def _together(plane: Array, height: Array) -> Array:
    """Return x, y, z and yaw of what there is of x, y and yaw, and of z."""
    x, y, yaw = plane.tolist()
    return np.array([x, y, height.item(), yaw])


def _plane(step: Footstep, before: float) -> Array:
    """Return x, y and yaw of a place, the yaw counted on from the one before."""
    yaw = before + short_way(before, step.yaw)
    return np.array([step.position[0], step.position[1], yaw])
