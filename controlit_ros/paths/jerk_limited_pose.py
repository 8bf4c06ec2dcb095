"""JerkLimitedPose: from a moving pose to rest, place and turn each in the shortest time."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.jerk_limited import JerkLimitedPlan
from controlit_ros.paths.jerk_limited_turn import JerkLimitedTurn
from controlit_ros.paths.pose_path import PLACE, TURN, place_of, turn_of
from controlit_ros.paths.trajectory import TrajectorySample


class JerkLimitedPose:
    """A pose whose place follows a `JerkLimitedPlan` and whose orientation a `JerkLimitedTurn`.

    Raises:
        MissingRuckigError: Ruckig is not installed.
    """

    def __init__(self) -> None:
        self._now = (JerkLimitedPlan(3), JerkLimitedTurn(4))
        self._next = (JerkLimitedPlan(3), JerkLimitedTurn(4))

    def plan(self, start: TrajectorySample, target: Array, limits: Sequence[Array] | Array) -> bool:
        """Take over the motion from a state to a pose, if one is found for both parts.

        Args:
            start: `(7,)` where it begins and how it moves.
            target: `(7,)` where it rests.
            limits: `(3, 7)` of velocity, acceleration and jerk; those of the quaternion are those
                of the turn.

        Returns:
            Whether one is found; otherwise the motion before stays.
        """
        place, turn = self._next
        bounds = np.asarray(limits)
        is_planned = place.plan(place_of(start), target[PLACE], bounds[:, PLACE]) and turn.plan(
            turn_of(start), target[TURN], bounds[:, TURN]
        )
        if is_planned:
            self._now, self._next = self._next, self._now
        return is_planned

    def at(self, time: float) -> TrajectorySample:
        """Return pose, velocity and acceleration, `(7,)` each, a time after it began [s]."""
        place, turn = self._now
        both = zip(place.at(time), turn.at(time), strict=True)
        return TrajectorySample(*(np.concatenate([first, second]) for first, second in both))
