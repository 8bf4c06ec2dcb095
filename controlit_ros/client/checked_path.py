"""CheckedPath: a path that a program brings, with every sample validated."""

import math
from typing import Any

import numpy as np

from controlit_ros.client.client_errors import MotionError
from controlit_ros.errors import told
from controlit_ros.parameters import Parameter
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectorySample

MEMBERS = ("start", "end", "at")
PARTS = len(TrajectorySample._fields)
LENGTH_ERROR = 1e-3  # [-] of a direction or a quaternion


class CheckedPath:
    """A `Path` whose samples are arrays of finite numbers of one shape.

    Args:
        task: Name of the task, for messages.
        path: Any path.
        shape: Of the goal.
    """

    def __init__(self, task: str, path: Path, shape: tuple[int, ...]) -> None:
        self._task = task
        self._path = path
        self._shape = shape
        self.start, self.end = path.start, path.end

    def at(self, time: float) -> TrajectorySample:
        """Return the sample at a time [s].

        Raises:
            MotionError: The path has no such sample.
        """
        try:
            parts = [np.array(part, dtype=float) for part in self._path.at(time)]
        except Exception as error:  # it may raise anything
            raise MotionError(f"the path of {self._task} failed: {told(error)}") from error
        fits = len(parts) == PARTS and all(part.shape == self._shape for part in parts)
        if not (fits and all(np.isfinite(part).all() for part in parts)):
            raise MotionError(
                f"the path of {self._task} failed {time - self.start:.3g} s after it began: found "
                f"{[part.tolist() for part in parts]}, expected finite numbers, {self._shape} "
                "each: value, velocity, acceleration in the task's frame and units"
            )
        return TrajectorySample(*parts)


def checked_path(task: str, path: Any, goal: Parameter) -> CheckedPath:
    """Return an object as a path of a task.

    Args:
        task: Name of the task.
        path: The object.
        goal: Of the task.

    Raises:
        MotionError: It is no path, takes no time, or begins with what is no goal of the task.
    """
    missing = [name for name in MEMBERS if not hasattr(path, name)]
    if missing:
        raise MotionError(
            f"{task}: found {type(path).__name__} without {', '.join(missing)}, expected a path "
            "with start, end and at(time); move_through takes waypoints"
        )
    try:
        start, end = float(path.start), float(path.end)
    except (TypeError, ValueError) as error:
        raise MotionError(
            f"{task}: found a path from {path.start!r} to {path.end!r}, expected times [s]"
        ) from error
    if not (end > start and math.isfinite(end - start)):
        raise MotionError(
            f"{task}: found a path from {start:g} to {end:g} s, expected an end after its start"
        )
    found = CheckedPath(task, path, goal.value.shape)
    value = found.at(start).value
    length = float(np.linalg.norm(value[-4:] if goal.quantity.turns else value))
    if goal.unit_length and not abs(length - 1.0) <= LENGTH_ERROR:
        raise MotionError(
            f"{task}: found a path that begins with a value of length {length:.4g}, expected 1: "
            f"{'a quaternion xyzw' if goal.quantity.turns else 'a direction'}"
        )
    return found
