"""From goals and times to the paths of a task's goal."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.great_circle import GreatCircle, angle_between
from controlit_ros.paths.path import Chain, Path
from controlit_ros.paths.pose_path import (
    ORIENTATION,
    PLACE,
    POSITION,
    TURN,
    PosePath,
    place_of,
    turn_of,
)
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample
from controlit_ros.paths.unit_trajectory import UnitTrajectory

TINY = 1e-9  # [SI] of a way that is none
SHORTEST_SHARE = 1e-3  # [-] of the way that a piece counts for, however short it is


def path_to(
    goal: Parameter, start: TrajectorySample, end: Array, *, duration: float, kind: PathKind
) -> Path:
    """Return the path of a goal to another one.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        end: `(k,)` where it shall come to rest.
        duration: How long it takes [s].
        kind: How it moves.

    Raises:
        TrajectoryError: Times or places make no path.
    """
    if not (math.isfinite(duration) and duration > 0.0):
        raise TrajectoryError(f"duration: found {duration:g} s, expected more than 0")
    if goal.quantity is Quantity.POSE:
        return PosePath(
            Trajectory(
                (0.0, duration), (start.value[PLACE], end[PLACE]), (), kind, place_of(start)
            ),
            GreatCircle(turn_of(start), end[TURN], duration, kind),
        )
    if goal.unit_length:
        return GreatCircle(start, end, duration, kind)
    return Trajectory((0.0, duration), (start.value, end), (), kind, start)


def path_through(
    goal: Parameter,
    start: TrajectorySample,
    waypoints: Sequence[Array],
    *,
    times: Sequence[float],
    stops: Sequence[int],
    kind: PathKind,
) -> Path:
    """Return the path of a goal through waypoints.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        waypoints: `(n, k)` where it shall pass; it comes to rest at the last.
        times: `(n,)` when, from now on [s].
        stops: Numbers of the waypoints to rest at on the way, from 0.
        kind: How it moves.

    Raises:
        TrajectoryError: Times or places make no path.
    """
    moments, points = [0.0, *times], [start.value, *waypoints]
    rests = [number + 1 for number in stops]
    return _through(goal, start, moments, points, rests, kind)


def _through(
    goal: Parameter,
    start: TrajectorySample,
    times: Sequence[float],
    points: Sequence[Array],
    stops: Sequence[int],
    kind: PathKind,
) -> Path:
    if goal.quantity is Quantity.POSE:
        places, turns = ([point[where] for point in points] for where in (PLACE, TURN))
        return PosePath(
            _through(POSITION, place_of(start), times, places, stops, kind),
            _through(ORIENTATION, turn_of(start), times, turns, stops, kind),
        )
    if not goal.unit_length:
        return Trajectory(times, points, stops, kind, start)
    if kind is not PathKind.LINEAR and len(stops) < len(points) - 2:
        return UnitTrajectory(times, points, stops, kind, start)
    Trajectory(times, points, stops, kind)  # checks the numbers
    pieces: list[Path] = []
    begin = start
    for (now, later), point in zip(pairwise(times), points[1:], strict=True):
        piece = GreatCircle(begin, point, later - now, kind, now)
        pieces.append(piece)
        begin = TrajectorySample.at_rest(piece.goal)
    return Chain(pieces)


def shares(goal: Parameter, start: Array, waypoints: Sequence[Array]) -> Array:
    """Return which part of the way is behind at each waypoint, `(n,)`, 1 at the last."""
    lengths = np.array([distance(goal, a, b) for a, b in pairwise([start, *waypoints])])
    passed: Array = np.cumsum(np.maximum(lengths, max(SHORTEST_SHARE * lengths.sum(), TINY)))
    parts: Array = passed / passed[-1]
    return parts


def distance(goal: Parameter, one: Array, other: Array) -> float:
    """Return how far one goal is from another: an angle, the farthest joint, or a length.

    Of poses it is the length or the angle, whichever is the larger number.
    """
    if goal.quantity is Quantity.POSE:
        parts = ((POSITION, PLACE), (ORIENTATION, TURN))
        return max(distance(part, one[where], other[where]) for part, where in parts)
    if goal.unit_length:
        return angle_between(one, other)
    norm = np.inf if goal.quantity is Quantity.PLAIN else None
    return float(np.linalg.norm(other - one, norm))
