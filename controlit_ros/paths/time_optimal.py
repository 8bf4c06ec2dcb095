"""Paths that come to rest at their goal in the shortest time that limits allow."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.great_circle import GreatCircle, at_goal
from controlit_ros.paths.jerk_limited import JerkLimitedPlan
from controlit_ros.paths.limits import PathLimits
from controlit_ros.paths.path import Path
from controlit_ros.paths.pose_path import (
    ORIENTATION,
    PLACE,
    POSITION,
    TURN,
    PosePath,
    place_of,
    turn_of,
)
from controlit_ros.paths.tangent_plane import TangentPlane
from controlit_ros.paths.trajectory import TrajectoryError, TrajectorySample

TIME_OPTIMAL = "time_optimal"
"""Kind of a motion that takes the shortest time."""

DEFAULT_LIMITS = PathLimits(0.5, 4.0, 50.0)  # those of a task's `reference: time_optimal`
NO_WAY = 1e-9  # [SI] of a motion that has no way to go
SHORTEST = 0.01  # [s] of such a motion


class TimeOptimal:
    """From a state to rest in the shortest time; a `Path`.

    Acceleration is continuous, also where it begins in mid-motion (`JerkLimitedPlan`). From rest it
    is a straight line.

    Args:
        start: `(k,)` where it begins and how it moves.
        end: `(k,)` where it rests.
        limits: `(3, k)` of velocity, acceleration and jerk of each component.

    Raises:
        TrajectoryError: No way is found, or the way takes no finite time.
        MissingRuckigError: Ruckig is not installed.
    """

    def __init__(self, start: TrajectorySample, end: Array, limits: Array) -> None:
        self._end: Array = np.array(end, dtype=float)
        self._plan = JerkLimitedPlan(self._end.size)
        if not self._plan.plan(start, self._end, limits):
            raise TrajectoryError(f"no way is found to {self._end.tolist()} within the limits")
        if not math.isfinite(self._plan.duration):
            raise TrajectoryError(f"the way to {self._end.tolist()} takes no finite time")

    @property
    def start(self) -> float:
        """Zero [s]."""
        return 0.0

    @property
    def end(self) -> float:
        """When it is over [s]."""
        return max(self._plan.duration, SHORTEST)

    def at(self, time: float) -> TrajectorySample:
        """Return place, velocity and acceleration at a time [s]."""
        if time >= self._plan.duration:
            return TrajectorySample.at_rest(self._end)
        value, velocity, acceleration = self._plan.at(max(time, 0.0))
        return TrajectorySample(np.array(value), np.array(velocity), np.array(acceleration))


class QuickTurn(GreatCircle):
    """The same on the unit sphere: limits hold in the tangent plane at the goal.

    From rest the turn is the shortest, and limits are those of its angle.

    Args:
        start: `(3,)` or `(4,)` of unit length, and how it moves.
        goal: Where it ends, at rest; of any length.
        limits: `(3, k)` of the turn's velocity [rad/s], acceleration and jerk, the same k times.
    """

    def __init__(self, start: TrajectorySample, goal: Array, limits: Array) -> None:
        way = self._aim(start, goal)
        self._plane = TangentPlane(self._pole)
        flat = self._plane.flat(way)
        # a quaternion moves half as fast as the body turns
        share = 0.5 if self._pole.size == 4 else 1.0
        bounds = np.repeat(share * limits[:, :1], flat.value.size, axis=1)
        self._way = TimeOptimal(flat, np.zeros_like(flat.value), along(flat, bounds))

    def at(self, time: float) -> TrajectorySample:
        """Return direction, velocity and acceleration at a time [s]."""
        return at_goal(self._plane.on_sphere(self._way.at(time)), self.goal)


def along(way: TrajectorySample, limits: Array) -> Array:
    """Return limits of the components so that those of the length are kept.

    Args:
        way: From here to zero, and how it moves.
        limits: `(3, k)` of the length, the same for each component.
    """
    if np.any(way.velocity) or np.any(way.acceleration):
        return limits / math.sqrt(way.value.size)
    length = float(np.linalg.norm(way.value))
    if length < NO_WAY:
        return limits
    shares = np.abs(way.value) / length
    return np.maximum(limits * shares, NO_WAY)


def quickest(
    goal: Parameter, start: TrajectorySample, end: Array, limits: PathLimits = DEFAULT_LIMITS
) -> Path:
    """Return the path of a goal that takes the shortest time.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        end: `(k,)` where it shall rest.
        limits: Finite ones; of a pose those of its place and its turn, or the same for both.

    Raises:
        TrajectoryError: No way is found.
        MissingRuckigError: Ruckig is not installed.
    """
    if goal.quantity is Quantity.POSE:
        place, turn = (
            PathLimits(*(np.broadcast_to(limit, 2)[part] for limit in limits)) for part in range(2)
        )
        return PosePath(
            quickest(POSITION, place_of(start), end[PLACE], place),
            quickest(ORIENTATION, turn_of(start), end[TURN], turn),
        )
    bounds = np.array([np.broadcast_to(limit, end.shape) for limit in limits])
    if goal.unit_length:
        return QuickTurn(start, end, bounds)
    if goal.quantity is Quantity.PLAIN:
        return TimeOptimal(start, end, bounds)
    return TimeOptimal(start, end, along(start._replace(value=end - start.value), bounds))
