"""CompoundTask: the prioritised set of tasks."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels import task_commands
from controlit_ros.kernels.task_commands import SENSED, SKIPPED
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.task import ENABLE, CommandKind, ErrorKind, Task
from controlit_ros.tasks.task_block import TaskBlock

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class Level(NamedTuple):
    """Rows of one priority level in the stacked arrays.

    Attributes:
        priority: Number of the level; higher wins.
        rows: Where the level's rows stand.
    """

    priority: int
    rows: slice


def _ignore(_task: Task) -> None:
    pass


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
        on_join: Called with each task that is about to be computed for the first time since it was
            enabled; its active state is fresh.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tuple(tasks)
        nv = tasks[0].robot.nv if tasks else 0
        self._block = TaskBlock(self.tasks, nv)
        rows = len(self._block.error)
        self._jacobian: Array = np.zeros((rows, nv))
        self._command: Array = np.zeros(rows)
        self._bias: Array = np.zeros(rows)
        self._destination: Indices = np.full(len(self.tasks), SKIPPED, dtype=np.int64)
        self._custom: tuple[Task, ...] = ()
        self.on_join: Callable[[Task], None] = _ignore
        self._changes = -1
        self._seen = [[-1, -1, False] for _ in self.tasks]
        self.levels: tuple[Level, ...] = ()
        self.jacobian, self.command = self._jacobian[:0], self._command[:0]
        self.bias = self._bias[:0]
        self.is_force: npt.NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self.level_ends: Indices = np.zeros(0, dtype=np.int64)

    def compute(self, period: float) -> None:
        """Compute every enabled and sensing task and stack the enabled ones; servo thread.

        Args:
            period: Time since the last computation [s].
        """
        if self._changes != Parameter.changes:
            self._changes = Parameter.changes
            self._block.refresh()
            if self._has_new_structure():
                self._arrange()
        for task in self._custom:
            task.compute_error()
        self._compute(period)
        norms = self._block.error_norm.tolist()
        for task, norm in zip(self.tasks, norms, strict=True):
            task.error_norm.value = norm

    def rehearse(self) -> None:
        """Compute the last cycle again; no integral grows in no time."""
        self._compute(0.0)

    def _compute(self, period: float) -> None:
        block = self._block
        task_commands(
            self._destination,
            block.error_kind,
            block.row_start,
            block.goal_start,
            block.which,
            block.measured,
            block.jacobian,
            block.bias,
            block.velocity,
            block.goal,
            block.goal_velocity,
            block.goal_acceleration,
            block.kp,
            block.ki,
            block.kd,
            block.max_speed,
            block.max_velocity,
            block.max_integral,
            period,
            block.integral,
            block.actual,
            block.error,
            block.error_norm,
            block.command,
            self._jacobian,
            self._command,
            self._bias,
        )

    def _has_new_structure(self) -> bool:
        changed = False
        for task, seen in zip(self.tasks, self._seen, strict=True):
            priority, state = task.priority.revision, task.operational_state.revision
            valid = task.active.valid
            if valid and not seen[2]:
                self.on_join(task)
            if seen[0] != priority or seen[1] != state or seen[2] != valid:
                seen[0], seen[1], seen[2] = priority, state, valid
                changed = True
        return changed

    def _arrange(self) -> None:
        """Renew what depends on priorities and states."""
        for task, seen in zip(self.tasks, self._seen, strict=True):
            if task.is_disabled:
                task.invalidate()
                seen[2] = False
        usable = [i for i, task in enumerate(self.tasks) if task.active.valid]
        enabled = [i for i in usable if self.tasks[i].operational_state.value == ENABLE]
        self._custom = tuple(
            self.tasks[i] for i in usable if self.tasks[i].error_kind is ErrorKind.CUSTOM
        )
        self._destination.fill(SKIPPED)
        self._destination[usable] = SENSED
        levels: list[Level] = []
        is_force: list[bool] = []
        row = 0
        for priority in sorted({self.tasks[i].priority.value for i in enabled}, reverse=True):
            start = row
            for i in enabled:
                task = self.tasks[i]
                if task.priority.value == priority:
                    self._destination[i] = row
                    is_force += [task.command_kind is CommandKind.FORCE] * task.dimension
                    row += task.dimension
            levels.append(Level(priority, slice(start, row)))
        self.levels = tuple(levels)
        self.jacobian, self.command = self._jacobian[:row], self._command[:row]
        self.bias = self._bias[:row]
        self.is_force = np.array(is_force, dtype=bool)
        self.level_ends = np.array([level.rows.stop for level in levels], dtype=np.int64)
