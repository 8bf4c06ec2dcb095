"""CompoundTask: the prioritised set of tasks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.tasks.task import ENABLE, SENSE, CommandKind, Task

Array = npt.NDArray[np.float64]


class Level(NamedTuple):
    """Rows of one priority level in the stacked arrays.

    Attributes:
        priority: Number of the level; higher wins.
        rows: Where the level's rows stand.
    """

    priority: int
    rows: slice


class CompoundTask:
    """Stacks the commands and Jacobians of the enabled tasks, level by level (paper section 4.1).

    Tasks may change priority and state between two cycles; the stack follows at the next `compute`.

    Args:
        tasks: Configured tasks; order within a level is the order given here.

    Attributes:
        levels: Highest priority first.
        jacobian: `(rows, nv)` stacked Jacobians of the last `compute`.
        command: `(rows,)` stacked commands, in m/s², rad/s² or N, N m.
        bias: `(rows,)` stacked `J̇ v`.
        is_force: `(rows,)` which rows command a force instead of an acceleration.
        level_ends: `(levels,)` row past the last of each level.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tuple(tasks)
        rows = sum(task.dimension for task in tasks)
        nv = tasks[0].robot.nv if tasks else 0
        self._jacobian: Array = np.zeros((rows, nv))
        self._command: Array = np.zeros(rows)
        self._bias: Array = np.zeros(rows)
        self.levels: tuple[Level, ...] = ()
        self._stacked: tuple[tuple[Task, slice], ...] = ()
        self._sensing: tuple[Task, ...] = ()
        self._seen = [[-1, -1, False] for _ in self.tasks]
        self.jacobian, self.command, self.bias = (
            self._jacobian[:0],
            self._command[:0],
            self._bias[:0],
        )
        self.is_force: npt.NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self.level_ends: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def compute(self, period: float) -> None:
        """Compute every enabled and sensing task and stack the enabled ones; servo thread.

        Args:
            period: Time since the last computation [s].
        """
        if self._has_changed():
            self._arrange()
        for task, rows in self._stacked:
            task.compute(period)
            state = task.active
            self._jacobian[rows] = state.jacobian
            self._command[rows] = task.command.value
            self._bias[rows] = state.bias
        for task in self._sensing:
            task.compute(period)
            task.controller.reset()  # an integral nobody acts on would wind up

    def _has_changed(self) -> bool:
        changed = False
        for task, seen in zip(self.tasks, self._seen, strict=True):
            priority, state = task.priority.revision, task.operational_state.revision
            valid = task.active.valid
            if seen[0] != priority or seen[1] != state or seen[2] != valid:
                seen[0], seen[1], seen[2] = priority, state, valid
                changed = True
        return changed

    def _arrange(self) -> None:
        for task in self.tasks:
            if task.is_disabled:
                task.invalidate()
        usable = [task for task in self.tasks if task.active.valid]
        enabled = [task for task in usable if task.operational_state.value == ENABLE]
        self._sensing = tuple(t for t in usable if t.operational_state.value == SENSE)
        priorities = sorted({task.priority.value for task in enabled}, reverse=True)
        stacked: list[tuple[Task, slice]] = []
        levels: list[Level] = []
        is_force: list[bool] = []
        row = 0
        for priority in priorities:
            start = row
            for task in enabled:
                if task.priority.value == priority:
                    stacked.append((task, slice(row, row + task.dimension)))
                    is_force += [task.command_kind is CommandKind.FORCE] * task.dimension
                    row += task.dimension
            levels.append(Level(priority, slice(start, row)))
        self._stacked, self.levels = tuple(stacked), tuple(levels)
        self.jacobian, self.command = self._jacobian[:row], self._command[:row]
        self.bias = self._bias[:row]
        self.is_force = np.array(is_force, dtype=bool)
        self.level_ends = np.array([level.rows.stop for level in levels], dtype=np.int64)
