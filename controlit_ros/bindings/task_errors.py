"""TaskErrors: how far tasks are from their goals, as the servo last told."""

import math
from collections.abc import Callable, Sequence

from controlit_ros.arrays import Array
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.members import Members
from controlit_ros.tasks import Task

RATE = 100.0  # [Hz] that of the goals


class TaskErrors:
    """The newest error norm of each task, while somebody wants to know.

    Args:
        tasks: Whose errors.
        outbox: Brings them out of the servo.
        wanted: Tells whether somebody wants to know.

    Attributes:
        sampler: What brings them.
    """

    def __init__(self, tasks: Sequence[Task], outbox: Outbox, wanted: Callable[[], bool]) -> None:
        self._outbox = outbox
        self._wanted = wanted
        self._newest: tuple[float, dict[str, float]] = (-math.inf, {})
        self.sampler = outbox.add_sampler(self._new_sampler(tuple(tasks)))

    def follow(self, members: Members, begin: int | None = None) -> Sampler:
        """Return what brings those of other tasks (see `Follower`)."""
        return self._outbox.add_sampler(self._new_sampler(members.tasks), begin)

    def of(self, task: str, since: float) -> float:
        """Return the error norm of a task; not a number if none is known since a time [s]."""
        stamp, errors = self._newest
        return errors.get(task, math.nan) if stamp > since else math.nan

    def _new_sampler(self, tasks: tuple[Task, ...]) -> Sampler:
        names = [task.name for task in tasks]

        def fill(row: Array) -> None:
            for number, task in enumerate(tasks):
                row[number] = task.error_norm.value

        def deliver(stamp: float, errors: Array) -> None:
            self._newest = (stamp, dict(zip(names, errors.tolist(), strict=True)))

        return Sampler(len(tasks), fill, deliver, rate=RATE, wanted=self._wanted)
