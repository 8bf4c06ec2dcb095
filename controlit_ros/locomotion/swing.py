"""Swing: the way of a foot through the air."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels.flying_foot import ARRIVES, PEAK
from controlit_ros.locomotion.flying_foot import SINKS
from controlit_ros.locomotion.footstep import Footstep, short_way
from controlit_ros.locomotion.quintic import Quintic, at_rest

Z = 2  # of x, y, z, yaw and slope
YAW = 2  # of x, y, yaw and slope, which move along the ground
RISES = 0.5  # [of the duration]
HOLDS = (
    0.3  # [of the duration] that a foot waits beside a high step, and is earlier above a low one
)
SHORTEST = 0.02  # [s] below, a foot on its way up turns at once


class Swing:
    """A foot from one place to another, over a height; at rest in the beginning and the end.

    Along the ground it goes straight, about z the short way, and has arrived a little before it is
    down, turned as the ground slopes there, so that it does not scrape. On stairs it first rises,
    and goes over the edge at the height of the upper one. Past its time it sinks on, to meet ground
    that is lower than thought.

    Attributes:
        duration: [s].
        start: Where the foot left.
        target: Where it goes.

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
        self.start, self.target = start, target
        self._sinking = sinking
        here, there = start.position[2], target.position[2]
        self._top, self._ground = max(here, there) + height, float(there)
        self._climb(0.0, _level(float(here)), duration, self._top)
        leaves, self._arrives = _on_the_way(float(there - here), height)
        self._since = leaves * duration
        self._last: tuple[float, Array] | None = None
        self._plane = Quintic(
            at_rest(_plane(start, start.yaw)),
            at_rest(_plane(target, start.yaw)),
            (self._arrives - leaves) * duration,
        )

    def redirect(self, time: float, target: Footstep, duration: float) -> None:
        """Go to another place from here on, or be down at another time.

        The foot rises again as far as there is time for it: what goes along the ground must not
        touch it.

        Args:
            time: Since the foot left [s].
            target: Where it shall stand.
            duration: When it shall be down, since it left [s].
        """
        rest = time + self._arrives * (duration - time) - max(time, self._since)
        if rest <= 0.0:
            return
        self._last = None
        now = self._plane.at(time - self._since)
        end = at_rest(_plane(target, float(now[0, YAW])))
        self._ground = float(target.position[2])
        reached = SINKS * ((1.0 - RISES) * (duration - time)) ** 2 / PEAK
        self._climb(time, self._height(time), duration, min(self._top, self._ground + reached))
        self._plane = Quintic(now, end, rest)
        self._since = max(time, self._since)
        self.duration, self.target = duration, target

    def _climb(self, time: float, height: Array, duration: float, top: float) -> None:
        """Go on over the top if there is way and time for it, else straight down."""
        rising = RISES * (duration - time)
        self._climbs = self._falls = time
        if top > height[0, 0] and rising > SHORTEST:
            self._rise = Quintic(height, _level(top), rising)
            self._falls, height = time + rising, _level(top)
        self._fall = Quintic(height, _level(self._ground), duration - self._falls)

    def at(self, time: float) -> Array:
        """Return x, y, z [m], yaw [rad] and slope [-] some time on, and their rates, `(3, 6)`."""
        if self._last is None or self._last[0] != time:  # it is asked for twice in a cycle
            plane, motion = self._plane.at(time - self._since), np.empty((3, 6))
            motion[:, :Z], motion[:, Z + 1 :] = plane[:, :Z], plane[:, Z:]
            motion[:, Z] = self._height(time)[:, 0]
            self._last = time, motion
        return self._last[1]

    def _height(self, time: float) -> Array:
        """Return `(3, 1)`."""
        if time < self._falls:
            return self._rise.at(time - self._climbs)
        late = max(time - self.duration, 0.0)
        if late == 0.0:
            return self._fall.at(time - self._falls)
        return np.array([[self._ground - self._sinking * late], [-self._sinking], [0.0]])


def _on_the_way(climb: float, clearance: float) -> tuple[float, float]:
    """Return when a foot sets off along the ground and arrives, in parts of the duration."""
    held = HOLDS * abs(climb) / (abs(climb) + clearance) if climb else 0.0
    return (held, ARRIVES) if climb > 0.0 else (0.0, ARRIVES - held)


def _level(height: float) -> Array:
    return at_rest(np.array([height]))


def _plane(step: Footstep, before: float) -> Array:
    """Return x, y, yaw and slope of a place, the yaw counted on from the one before."""
    yaw = before + short_way(before, step.yaw)
    return np.array([step.position[0], step.position[1], yaw, *step.slope])
