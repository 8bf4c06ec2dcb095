"""TaskSet: the tasks of a compound task and the memory they are computed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.few import Few
from controlit_ros.kernels import BoundKernel, bind, task_commands
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_block import TaskBlock

MOST = 4  # [periods] that of the servo, and none, in which nothing grows


class Seat(NamedTuple):
    """Where the numbers of a task are.

    Attributes:
        task: The task.
        block: Its memory.
        row: Which row of the block's plan is the task's.
    """

    task: Task
    block: TaskBlock
    row: int


class TaskSet:
    """Tasks, and memory for what is computed of them; made beside a servo that uses another set.

    A task keeps its memory for as long as it is there: sets that share tasks share their blocks.
    What a set has for itself is written anew in every cycle.

    Args:
        seats: Tasks with the memory they have.
        nv: Size of the velocity vector.

    Attributes:
        seats: The same.
        blocks: The memory of the tasks, each once.
        jacobian: `(rows, nv)` room for the stacked Jacobians.
        stacked: `(2, rows)` room for stacked commands and biases.
        wanted: `(rows, nv)` room for the Jacobians of unilateral rows.
    """

    def __init__(self, seats: Sequence[Seat], nv: int) -> None:
        self.seats = tuple(seats)
        self.blocks = tuple({id(seat.block): seat.block for seat in seats}.values())
        rows = sum(seat.task.rows for seat in seats)
        self.jacobian: Array = np.zeros((rows, nv))
        self.stacked: Array = np.zeros((2, rows))
        self.wanted: Array = np.zeros((rows, nv))
        self._commands: Few[float, tuple[BoundKernel, ...]] = Few(MOST)
        self._nv = nv

    def commands(self, period: float) -> tuple[BoundKernel, ...]:
        """Return what writes the commands of each block into the room of this set.

        See `kernels.task_commands`.

        Args:
            period: Time since they were written last [s].
        """
        found = self._commands.get(period)
        if found is None:
            bound = tuple(self._bound(block, float(period)) for block in self.blocks)
            found = self._commands.keep(period, bound)
        return found

    @classmethod
    def of(cls, tasks: Sequence[Task], nv: int) -> TaskSet:
        """Return a set of configured tasks that are in no other; they move into one block."""
        return cls(_seated(tasks, nv), nv)

    @property
    def tasks(self) -> Iterator[Task]:
        """The tasks in their order."""
        return (seat.task for seat in self.seats)

    @property
    def rows(self) -> int:
        """Rows of all tasks together."""
        return len(self.jacobian)

    def with_task(self, task: Task) -> TaskSet:
        """Return these tasks and another one, configured, which moves into a block of its own."""
        return TaskSet((*self.seats, *_seated((task,), self._nv)), self._nv)

    def exchanged(self, task: Task, other: Task) -> TaskSet:
        """Return these tasks with another one, configured, in the place of one."""
        (seat,) = _seated((other,), self._nv)
        return TaskSet([seat if s.task is task else s for s in self.seats], self._nv)

    def without(self, task: Task) -> TaskSet:
        """Return these tasks but one."""
        return TaskSet([seat for seat in self.seats if seat.task is not task], self._nv)

    def _bound(self, block: TaskBlock, period: float) -> BoundKernel:
        return bind(
            task_commands,
            block.plan,
            block.settings,
            block.rows,
            block.goals,
            block.jacobian,
            block.projection,
            period,
            self.jacobian,
            self.stacked,
        )


def _seated(tasks: Sequence[Task], nv: int) -> list[Seat]:
    block = TaskBlock(tasks, nv)
    return [Seat(task, block, i) for i, task in enumerate(tasks)]
