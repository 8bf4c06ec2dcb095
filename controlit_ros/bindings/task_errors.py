"""TaskErrors: how far tasks are from their goals, as the servo last told."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.tasks import Task

RATE = 100.0  # [Hz] that of the goals


class TaskErrors:
    """The newest error norm of each task, while somebody wants to know.

    Args:
        tasks: Whose errors.
        outbox: Brings them out of the servo.
        wanted: Tells whether somebody wants to know.
    """

    def __init__(self, tasks: Sequence[Task], outbox: Outbox, wanted: Callable[[], bool]) -> None:
        self._tasks = tuple(tasks)
        self._numbers = {task.name: number for number, task in enumerate(tasks)}
        self._newest = (-math.inf, np.full(len(tasks), math.nan))
        outbox.add_sampler(Sampler(len(tasks), self._fill, self._deliver, rate=RATE, wanted=wanted))

    def of(self, task: str, since: float) -> float:
        """Return the error norm of a task; not a number if none is known since a time [s]."""
        stamp, errors = self._newest
        return float(errors[self._numbers[task]]) if stamp > since else math.nan

    def _fill(self, row: Array) -> None:
        for number, task in enumerate(self._tasks):
            row[number] = task.error_norm.value

    def _deliver(self, stamp: float, errors: Array) -> None:
        self._newest = (stamp, errors.copy())
