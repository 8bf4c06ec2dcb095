"""JerkLimitedTurn: from a turning direction or orientation to rest in the shortest time."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.great_circle import way_on_sphere
from controlit_ros.paths.jerk_limited import JerkLimitedPlan
from controlit_ros.paths.tangent_plane import TangentPlane
from controlit_ros.paths.time_optimal import along
from controlit_ros.paths.trajectory import TrajectoryError, TrajectorySample


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
        self._plan = JerkLimitedPlan(dimension - 1)
        self._plane = TangentPlane(np.eye(dimension)[0])
        # a quaternion moves half as fast as the body turns
        self._share = 0.5 if dimension == 4 else 1.0

    def plan(self, start: TrajectorySample, target: Array, limits: Sequence[Array] | Array) -> bool:
        """Take over the turn from a state to a direction, if one is found.

        Args:
            start: `(n,)` of unit length, and how it moves.
            target: `(n,)` where it rests, of any length.
            limits: `(3, n)` of the turn's velocity [rad/s], acceleration and jerk.

        Returns:
            Whether one is found; otherwise the motion before stays.
        """
        try:
            goal, way = way_on_sphere(start, target)
        except TrajectoryError:  # opposite: which way is the shortest?
            return False
        plane = TangentPlane(goal)
        flat = plane.flat(way)
        bounds = along(flat, self._share * np.asarray(limits)[:, 1:])
        if not self._plan.plan(flat, np.zeros_like(flat.value), bounds):
            return False
        self._plane = plane
        return True

    def at(self, time: float) -> TrajectorySample:
        """Return place, velocity and acceleration on the sphere, a time after it began [s]."""
        return self._plane.on_sphere(
            TrajectorySample(*(np.array(part) for part in self._plan.at(time)))
        )
