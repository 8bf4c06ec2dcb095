"""What the goals of actions ask of tasks, checked before anything moves."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import seconds
from controlit_ros.bindings.led_task import LedTask, RefusedGoalError
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message
from controlit_ros.paths.goal_paths import path_through, path_to
from controlit_ros.paths.limits import PathLimits, excess
from controlit_ros.paths.paced import paced, told_excess
from controlit_ros.paths.path import Path
from controlit_ros.paths.time_optimal import DEFAULT_LIMITS, quickest
from controlit_ros.paths.trajectory import PathKind, TrajectorySample
from controlit_ros.tasks.task import LARGEST_GOAL

TIME_OPTIMAL = "time_optimal"
KINDS = tuple(kind.value for kind in PathKind)
LIMITS_OF = {
    PathKind.LINEAR.value: ("speed",),
    PathKind.CUBIC.value: ("speed", "acceleration"),
    PathKind.MINIMUM_JERK.value: ("speed", "acceleration", "jerk"),
    TIME_OPTIMAL: ("speed", "acceleration", "jerk"),
}
"""What is continuous enough to be limited: the next derivative is infinite somewhere."""

PATIENCE = 5.0  # [s] for the error after the goal has arrived, unless stated
LONGEST = 86_400.0  # [s] of a motion; what needs more is a mistake
MOST_WAYPOINTS = 1000  # of one goal: a path through them is made within some 10 ms
SPARE = 1e-3  # [-] of a limit; what the looks at a path and rounding in time miss


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
        RefusedGoalError: It cannot be done as asked for.
        TrajectoryError: There is no such path.
    """
    task.check(message.frame)
    names = list(message.names)
    end = task.place(names, np.array(message.goal), present.value)
    start = task.at_names(names, present)
    kind = _kind(message.kind, (*KINDS, TIME_OPTIMAL))
    limits = _limits(message, kind)
    duration = _not_negative("duration", seconds(message.duration))
    if kind == TIME_OPTIMAL:
        path = _quick(task, start, end, limits, duration)
    else:
        path = _move(task, start, end, PathKind(kind), limits, duration)
    return _leg(task, path, message)


def read_trajectory(message: Message, task: LedTask, present: TrajectorySample) -> Leg:
    """Read a TaskTrajectory, a part of the goal of the action FollowTaskTrajectory.

    Args:
        message: What was asked for.
        task: The one it names.
        present: Where its goal is, and how it moves.

    Raises:
        RefusedGoalError: It cannot be done as asked for.
        TrajectoryError: There is no such path.
    """
    task.check(message.frame)
    names = list(message.names)
    points: list[Array] = []
    for point in message.points:
        before = points[-1] if points else present.value
        points.append(task.place(names, np.array(point.goal), before))
    if not points:
        raise RefusedGoalError(f"{task.name}: found no points, expected one or more")
    path = path_through(
        task.goal,
        task.at_names(names, present),
        points,
        times=[_time(seconds(point.time_from_start)) for point in message.points],
        speed=None,
        stops=[i for i, point in enumerate(message.points[:-1]) if point.stop],
        kind=PathKind(_kind(message.kind, KINDS)),
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


def _move(
    task: LedTask,
    start: TrajectorySample,
    end: Array,
    kind: PathKind,
    limits: PathLimits,
    duration: float,
) -> Path:
    """Return a path of a stated duration, or as long as its limits need."""

    def make(time: float) -> Path:
        return path_to(task.goal, start, end, duration=_time(time), speed=None, kind=kind)

    if duration:
        path = make(duration)
        _check_limits(task, path, limits)
        _check_speed(task, path)
        return path
    if all(np.isinf(limit).all() for limit in limits):
        raise RefusedGoalError(
            f"{task.name}: found neither duration nor limits, expected duration, or one of "
            f"{', '.join(LIMITS_OF[kind.value])}"
        )
    slowest = limits._replace(velocity=np.minimum(limits.velocity, task.fastest))
    return paced(task.goal, start, make, slowest)


def _quick(
    task: LedTask, start: TrajectorySample, end: Array, limits: PathLimits, duration: float
) -> Path:
    if duration:
        raise RefusedGoalError(
            f"{task.name}: found a duration beside {TIME_OPTIMAL}, which takes the shortest; "
            "expected none"
        )
    finite = [
        np.where(np.isinf(limit), default, limit)
        for limit, default in zip(limits, DEFAULT_LIMITS, strict=True)
    ]
    finite[0] = np.minimum(finite[0], task.fastest)
    return quickest(task.goal, start, end, PathLimits(*finite))


def _check_limits(task: LedTask, path: Path, limits: PathLimits) -> None:
    found = excess(task.goal, path, limits)
    if found.factor > 1.0 + SPARE:
        raise RefusedGoalError(
            f"{task.name}: {told_excess(task.goal, found)}; it takes {path.end:.4g} s, expected "
            f"about {path.end * found.factor:.4g} or more"
        )


def _check_speed(task: LedTask, path: Path) -> None:
    """Check that joints and the task's law allow the speed, and that it is no mistake."""
    fastest = np.minimum(task.fastest, LARGEST_GOAL)
    _check_limits(task, path, PathLimits(fastest, LARGEST_GOAL))


def _limits(message: Message, kind: str) -> PathLimits:
    stated = {
        name: _not_negative(name, getattr(message, name))
        for name in ("speed", "acceleration", "jerk")
    }
    for name, value in stated.items():
        if value and name not in LIMITS_OF[kind]:
            raise RefusedGoalError(
                f"found {name} {value:g} of a {kind} motion, which has no bounded {name}; expected "
                f"none, or the kind {TIME_OPTIMAL}"
            )
    return PathLimits(*(value or math.inf for value in stated.values()))


def _kind(kind: str, known: Sequence[str]) -> str:
    if kind and kind not in known:
        raise RefusedGoalError(f"unknown kind {kind!r}{did_you_mean(kind, known)}")
    return kind or PathKind.MINIMUM_JERK.value


def _time(time: float) -> float:
    """Check a time that a path is made for [s]."""
    if not 0.0 <= time <= LONGEST:
        raise RefusedGoalError(f"found {time:g} s, expected 0 to {LONGEST:g}")
    return time


def _not_negative(name: str, value: float) -> float:
    if not (math.isfinite(value) and value >= 0.0):
        raise RefusedGoalError(f"{name}: found {value:g}, expected 0 or more")
    return float(value)
