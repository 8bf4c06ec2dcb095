"""JerkLimitedTurn: from a turning direction or orientation to rest in the shortest time."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.great_circle import at_goal, way_on_sphere
from controlit_ros.paths.jerk_limited import JerkLimitedPlan
from controlit_ros.paths.tangent_plane import TangentPlane
from controlit_ros.paths.time_optimal import along
from controlit_ros.paths.trajectory import TrajectorySample


class JerkLimitedTurn:
    """The quickest turn to rest on the unit sphere, as `JerkLimitedPlan` is it on a line.

    It is planned in the tangent plane at the goal, in which limits hold (`GreatCircle`). From rest
    that is the shortest turn, and limits are those of its angle; in mid-motion acceleration is
    continuous.

    Args:
        dimension: 3 of a direction, 4 of a quaternion.

    Raises:
        MissingRuckigError: Ruckig is not installed.
    """

    def __init__(self, dimension: int) -> None:
        # of a heading, and of the turn from the opposite side
        self._plans = {size: JerkLimitedPlan(size) for size in (dimension - 1, 3)}
        self._plan = self._plans[dimension - 1]
        self._goal = np.eye(dimension)[0]
        self._plane = TangentPlane(self._goal)

    def plan(self, start: TrajectorySample, target: Array, limits: Sequence[Array] | Array) -> bool:
        """Take over the turn from a state to a direction, if one is found.

        Args:
            start: `(n,)` of unit length, and how it moves.
            target: `(n,)` where it rests, of any length.
            limits: `(3, n)` of the turn's velocity [rad/s], acceleration and jerk.

        Returns:
            Whether one is found; otherwise the motion before stays.
        """
        goal, pole, way = way_on_sphere(start, target)
        plane = TangentPlane(pole)
        flat = plane.flat(way)
        plan = self._plans[flat.value.size]
        share = 0.5 if pole.size == 4 else 1.0  # a quaternion moves half as fast as the body turns
        bounds = np.repeat(share * np.asarray(limits)[:, :1], flat.value.size, axis=1)
        if not plan.plan(flat, np.zeros_like(flat.value), along(flat, bounds)):
            return False
        self._plan, self._plane, self._goal = plan, plane, goal
        return True

    def at(self, time: float) -> TrajectorySample:
        """Return place, velocity and acceleration on the sphere, a time after it began [s]."""
        flat = TrajectorySample(*(np.array(part) for part in self._plan.at(time)))
        return at_goal(self._plane.on_sphere(flat), self._goal)
