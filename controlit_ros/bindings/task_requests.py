"""What the goals of actions ask of tasks, checked before anything moves."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import LONGEST, seconds
from controlit_ros.bindings.led_task import LedTask, RefusedGoalError
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message
from controlit_ros.parameters import PlannedTurns
from controlit_ros.paths.goal_paths import path_through
from controlit_ros.paths.limited import (
    KINDS,
    WAYPOINT_KINDS,
    check_limits,
    kind_named,
    limited_path_to,
    limits_for,
)
from controlit_ros.paths.limits import PathLimits
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import PathKind, TrajectoryError, TrajectorySample
from controlit_ros.tasks.task import LARGEST_GOAL

PATIENCE = 5.0  # [s] for the error after the goal has arrived, unless stated
MOST_WAYPOINTS = 1000  # of one goal: a path through them is made within some 10 ms


class Leg(NamedTuple):
    """One task's part of a motion.

    Attributes:
        task: Whose goal moves.
        path: Where to, from time 0 on.
        path_tolerance: Largest error on the way; infinite for any.
        goal_tolerance: Largest error at the end; infinite for any.
    """

    task: LedTask
    path: Path
    path_tolerance: float
    goal_tolerance: float


def find_task(name: str, tasks: Mapping[str, LedTask]) -> LedTask:
    """Return the task of a name.

    Raises:
        RefusedGoalError: There is none.
    """
    if name not in tasks:
        raise RefusedGoalError(f"unknown task {name!r}{did_you_mean(name, tasks)}")
    return tasks[name]


def patience_of(message: Message) -> float:
    """Return how long the error is waited for [s].

    Raises:
        RefusedGoalError: It is negative.
    """
    return _not_negative("goal_time_tolerance", seconds(message)) or PATIENCE


def read_move(message: Message, task: LedTask, present: TrajectorySample) -> Leg:
    """Read the goal of the action MoveTask.

    Args:
        message: What was asked for.
        task: The one it names.
        present: Where its goal is, and how it moves.

    Raises:
        RefusedGoalError: It cannot be done as asked for, or there is no such path.
        MissingRuckigError: The kind needs Ruckig, and that is not installed.
    """
    task.check(message.frame)
    names = list(message.names)
    end = task.place(names, np.array(message.goal), present.value, PlannedTurns(task.goal))
    start = task.at_names(names, present)
    kind = _kind(message.kind, KINDS)
    stated = {
        name: _not_negative(name, getattr(message, name)) or None
        for name in ("speed", "acceleration", "jerk")
    }
    duration = _not_negative("duration", seconds(message.duration)) or None
    if duration is not None:
        _check_time(duration)
    with _told_of(task):
        path = limited_path_to(
            task.goal,
            start,
            end,
            kind=kind,
            duration=duration,
            limits=limits_for(kind, **stated),
            fastest=task.fastest,
        )
        if duration is not None:
            _check_speed(task, path)
    return _leg(task, path, message)


def read_trajectory(message: Message, task: LedTask, present: TrajectorySample) -> Leg:
    """Read a TaskTrajectory, a part of the goal of the action FollowTaskTrajectory.

    Args:
        message: What was asked for.
        task: The one it names.
        present: Where its goal is, and how it moves.

    Raises:
        RefusedGoalError: It cannot be done as asked for, or there is no such path.
    """
    task.check(message.frame)
    names = list(message.names)
    points: list[Array] = []
    turns = PlannedTurns(task.goal)
    for point in message.points:
        before = points[-1] if points else present.value
        points.append(task.place(names, np.array(point.goal), before, turns))
    if not points:
        raise RefusedGoalError(f"{task.name}: found no points, expected one or more")
    times = [seconds(point.time_from_start) for point in message.points]
    for time in times:
        _check_time(time)
    with _told_of(task):
        path = path_through(
            task.goal,
            task.at_names(names, present),
            points,
            times=times,
            stops=[i for i, point in enumerate(message.points[:-1]) if point.stop],
            kind=PathKind(_kind(message.kind, WAYPOINT_KINDS)),
        )
        _check_speed(task, path)
    return _leg(task, path, message)


def _leg(task: LedTask, path: Path, message: Message) -> Leg:
    if not path.end <= LONGEST:
        raise RefusedGoalError(
            f"{task.name}: it takes {path.end:.4g} s, expected at most {LONGEST:g}"
        )
    task.check_range(path)
    tolerances = (
        _not_negative(name, getattr(message, name)) or math.inf
        for name in ("path_tolerance", "goal_tolerance")
    )
    return Leg(task, path, *tolerances)


@contextmanager
def _told_of(task: LedTask) -> Iterator[None]:
    """Name the task in what is wrong with its path."""
    try:
        yield
    except TrajectoryError as error:
        raise RefusedGoalError(f"{task.name}: {error}") from None


def _check_speed(task: LedTask, path: Path) -> None:
    """Check that joints and the task's law allow the speed, and that it is no mistake."""
    fastest = np.minimum(task.fastest, LARGEST_GOAL)
    check_limits(task.goal, path, PathLimits(fastest, LARGEST_GOAL))


def _kind(name: str, known: Sequence[str]) -> str:
    return kind_named(name or PathKind.MINIMUM_JERK, known)


def _check_time(time: float) -> None:
    """Check a time that a path is made for [s]."""
    if not 0.0 <= time <= LONGEST:
        raise RefusedGoalError(f"found {time:g} s, expected 0 to {LONGEST:g}")


def _not_negative(name: str, value: float) -> float:
    if not (math.isfinite(value) and value >= 0.0):
        raise RefusedGoalError(f"{name}: found {value:g}, expected 0 or more")
    return float(value)
