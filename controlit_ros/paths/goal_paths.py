"""From goals and times or speeds to the paths of a task's goal."""

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
    rates_of,
    turn_of,
)
from controlit_ros.paths.trajectory import PathKind, Trajectory, TrajectoryError, TrajectorySample
from controlit_ros.paths.unit_trajectory import UnitTrajectory

PEAKS = {PathKind.LINEAR: 1.0, PathKind.CUBIC: 1.5, PathKind.MINIMUM_JERK: 1.875}
"""Highest speed from rest to rest by mean speed."""

SHORTEST = 0.01  # [s] of a motion that has no way to go
LOOKS = 400  # [-] at the speed of each piece


def path_to(
    goal: Parameter,
    start: TrajectorySample,
    end: Array,
    *,
    duration: float | None,
    speed: float | None,
    kind: PathKind,
) -> Path:
    """Return the path of a goal to another one.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        end: `(k,)` where it shall come to rest.
        duration: How long it takes [s].
        speed: How fast it moves at most instead, if it starts at rest [SI].
        kind: How it moves.

    Raises:
        TrajectoryError: Times or places make no path.
    """
    one_of(duration=duration, speed=speed)
    if duration is None:
        duration = duration_of(distance(goal, start.value, end), speed, kind)
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
    times: Sequence[float] | None,
    speed: float | None,
    stops: Sequence[int],
    kind: PathKind,
) -> Path:
    """Return the path of a goal through waypoints.

    Args:
        goal: What it is.
        start: `(k,)` where it is and how it moves.
        waypoints: `(n, k)` where it shall pass; it comes to rest at the last.
        times: `(n,)` when, from now on [s].
        speed: How fast it moves at most instead, if it starts at rest [SI].
        stops: Numbers of the waypoints to rest at on the way, from 0.
        kind: How it moves.

    Raises:
        TrajectoryError: Times or places make no path.
    """
    one_of(times=times, speed=speed)
    points = [start.value, *waypoints]
    rests = [number + 1 for number in stops]
    if times is not None:
        return _through(goal, start, [0.0, *times], points, rests, kind)
    lengths = [max(distance(goal, one, other), 1e-9) for one, other in pairwise(points)]
    pace = _speed(speed)
    guess = np.concatenate([[0.0], np.cumsum([max(d / pace, SHORTEST) for d in lengths])])
    peak = _peak(goal, _through(goal, start, guess.tolist(), points, rests, kind), guess)
    return _through(goal, start, (guess * max(peak / pace, 1e-6)).tolist(), points, rests, kind)


def duration_of(way: float, speed: float | None, kind: PathKind) -> float:
    """Return how long a way from rest to rest takes [s].

    Args:
        way: How far it is [SI].
        speed: How fast it is at most [SI].
        kind: How it moves.

    Raises:
        TrajectoryError: The speed is none.
    """
    return max(PEAKS[kind] * way / _speed(speed), SHORTEST)


def distance(goal: Parameter, one: Array, other: Array) -> float:
    """Return how far one goal is from another: an angle, the farthest joint, or a length.

    Of poses it is the length or the angle, whichever is the larger number.
    """
    if goal.quantity is Quantity.POSE:
        parts = ((POSITION, PLACE), (ORIENTATION, TURN))
        return max(distance(part, one[where], other[where]) for part, where in parts)
    if goal.unit_length:
        return angle_between(one, other)
    return _size(goal, other - one)


def one_of(**given: object) -> None:
    """Check that exactly one argument is given.

    Raises:
        TrajectoryError: None or several are.
    """
    stated = [name for name, value in given.items() if value is not None]
    if len(stated) != 1:
        raise TrajectoryError(
            f"found {' and '.join(stated) or 'nothing'}, expected one of {', '.join(given)}"
        )


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


def _peak(goal: Parameter, path: Path, times: Array) -> float:
    looks = np.concatenate([np.linspace(a, b, LOOKS) for a, b in pairwise(times)])
    factor = 2.0 if goal.quantity is Quantity.QUATERNION else 1.0  # q̇ is half the turn's rate
    return max(factor * _size(goal, path.at(float(time)).velocity) for time in looks)


def _size(goal: Parameter, vector: Array) -> float:
    """Return the largest of joints, which are each on their own, or the length of a vector."""
    if goal.quantity is Quantity.POSE:
        return max(rates_of(vector))
    norm = np.inf if goal.quantity is Quantity.PLAIN else None
    return float(np.linalg.norm(vector, norm))


def _speed(speed: float | None) -> float:
    if speed is None or not (math.isfinite(speed) and speed > 0.0):
        raise TrajectoryError(f"speed: found {speed}, expected a number above 0")
    return speed
