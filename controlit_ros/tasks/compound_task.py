"""CompoundTask: the prioritised set of tasks."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.finite import is_finite
from controlit_ros.kernels import admit_rows, force_load, task_commands, withhold_rows
from controlit_ros.kernels.task_layout import FIRST, SENSED, SKIPPED
from controlit_ros.parameters import Parameter
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.task import ENABLE, CommandKind, ErrorKind, Task
from controlit_ros.tasks.task_block import TaskBlock

LARGEST_COMMAND = 1e9  # [m/s², rad/s², N or N m] thousands of times what any robot does


class Level(NamedTuple):
    """Rows of one priority level in the stacked arrays.

    Where a level moves some bodies and pushes with others it is two, of which the pushing one comes
    second: what the surroundings hold yields to what is to be moved.

    Attributes:
        priority: Number of the level; higher wins.
        rows: Where the level's rows stand.
    """

    priority: int
    rows: slice


def _ignore(_task: Task) -> None:
    pass


def _is_internal(task: Task) -> bool:
    return task.command_kind is CommandKind.INTERNAL_FORCE


def _is_force(task: Task) -> bool:
    return task.command_kind is CommandKind.FORCE


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
        load: `(nv,)` what the surroundings bear, `Σ Jᵀ F` over the rows that command a force.
        internal_jacobian: `(internal rows, nv)` Jacobians of the tasks that command internal
            forces; such tasks belong to no level.
        internal_command: `(internal rows,)` their commands [N] or [N m].
        task_ends: `(tasks,)` row past the last of each task that belongs to a level.
        level_ends: `(levels,)` row past the last of each level.
        arrangements: How often levels and rows were arranged anew.
        on_join: Called with each task that is about to be computed for the first time since it was
            enabled; its active state is fresh.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tuple(tasks)
        nv = tasks[0].robot.nv if tasks else 0
        self._block = TaskBlock(self.tasks, nv)
        rows = sum(task.rows for task in self.tasks)
        self._jacobian: Array = np.zeros((rows, nv))
        self._stacked: Array = np.zeros((2, rows))
        self._command, self._bias = self._stacked
        self._destination = self._block.destination
        self._unilateral_rows: Indices = np.zeros(0, dtype=np.int64)
        self._unilateral_source: Indices = np.zeros(0, dtype=np.int64)
        self.load: Array = np.zeros(nv)
        self._wanted: Array = np.zeros((rows, nv))
        self._admission_work: Array = np.zeros((2, nv))
        self._led: tuple[Task, ...] = ()
        self._given_errors: tuple[Task, ...] = ()
        self._given_commands: tuple[tuple[int, Task], ...] = ()
        self.on_join: Callable[[Task], None] = _ignore
        self.arrangements = 0
        self._changes = -1
        self._seen = [[-1, -1, False] for _ in self.tasks]
        self.levels: tuple[Level, ...] = ()
        self.jacobian, self.command = self._jacobian[:0], self._command[:0]
        self.bias = self._bias[:0]
        self.internal_jacobian, self.internal_command = self._jacobian[:0], self._command[:0]
        self.is_force: Flags = np.zeros(0, dtype=bool)
        self._has_force_rows = False
        self.task_ends: Indices = np.zeros(0, dtype=np.int64)
        self.level_ends: Indices = np.zeros(0, dtype=np.int64)

    def compute(self, period: float) -> None:
        """Compute every enabled and sensing task and stack the enabled ones; servo thread.

        Args:
            period: Time since the last computation [s].
        """
        if self._changes != Parameter.changes:
            self._changes = Parameter.changes
            self._tare()
            self._block.refresh()
            if self._has_new_structure():
                self._arrange()
        for task in self._led:
            task.lead(period)
        for task in self._given_errors:
            task.compute_error()
        for i, task in self._given_commands:
            task.compute(period)
            self._block.error_norm[i] = task.error_norm.value
        self._compute(period)
        norms = self._block.error_norm.tolist()
        for task, norm in zip(self.tasks, norms, strict=True):
            task.error_norm.value = norm
        for task in self._led:
            task.measure_goal()

    @property
    def is_finite(self) -> bool:
        """Whether every command of the last `compute` is a number."""
        return is_finite(self.command) and is_finite(self.internal_command)

    def place(self, task: Task) -> slice:
        """Return where the rows of a task stand in the last `compute`; empty: it takes no part.

        Rows that command an internal force stand in `internal_command`, the others in `command`.
        """
        row = int(self._destination[self.tasks.index(task)])
        if row < 0:
            return slice(0, 0)
        start = row - len(self.command) if _is_internal(task) else row
        return slice(start, start + task.rows)

    def worst(self) -> Task | None:
        """Return the enabled task with a command that is not a number, or that no robot can follow.

        That is the greatest of those beyond `LARGEST_COMMAND`; none: the commands are in order.
        """
        worst, greatest = None, LARGEST_COMMAND
        for task, row in zip(self.tasks, self._destination.tolist(), strict=True):
            if row >= 0:
                command = task.command.value
                size = float(np.abs(command).max(initial=0.0))
                if math.isnan(size) or size > greatest:
                    worst, greatest = task, math.inf if math.isnan(size) else size
        return worst

    def rehearse(self) -> None:
        """Compute the last cycle again; no integral grows in no time."""
        self._compute(0.0)

    def _compute(self, period: float) -> None:
        block = self._block
        task_commands(
            block.plan,
            block.settings,
            block.rows,
            block.goals,
            block.jacobian,
            block.projection,
            period,
            self._jacobian,
            self._stacked,
        )
        if self.has_force_rows:
            force_load(self.jacobian, self.command, self.is_force, self.load)
        if self.has_unilateral_rows:
            withhold_rows(
                self._unilateral_rows,
                self._unilateral_source,
                block.rows,
                self._jacobian,
                self._wanted,
            )

    @property
    def has_force_rows(self) -> bool:
        """Whether rows of the stack command a force."""
        return self._has_force_rows

    @property
    def has_unilateral_rows(self) -> bool:
        """Whether rows of the stack act only where they have to; see `admit`."""
        return len(self._unilateral_rows) > 0

    def admit(
        self,
        *,
        task_map: Array,
        effort_map: Array,
        Phi: Array,
        bias_effort: Array,
        drift: Array,
        bias: Array,
        effort: Array,
    ) -> bool:
        """Let unilateral rows act that an effort would violate; servo thread.

        After `compute` such rows are zero in the stack and act on nothing.

        Args:
            task_map: `(nv, rank)`, this and the next four as in `ConstrainedModel`.
            effort_map: `(na, rank)`.
            Phi: `(na, na)`.
            bias_effort: `(na,)`.
            drift: `(nv,)`, or zeros.
            bias: `(rows,)` `J̇ v` of the stack, or zeros.
            effort: `(na,)` what the rows that act so far lead to.

        Returns:
            Whether there are such rows, so that the effort must be computed again.
        """
        admitted: int = admit_rows(
            self._unilateral_rows,
            self._unilateral_source,
            self._block.rows,
            self._wanted,
            self._command,
            bias,
            task_map,
            effort_map,
            Phi,
            effort,
            bias_effort,
            drift,
            self._admission_work,
            self._jacobian,
        )
        return admitted > 0

    def _tare(self) -> None:
        for task in self.tasks:
            if task.tare.value and task.active.valid:
                task.latch_goal()
                task.tare.assign(False)

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
        self.arrangements += 1
        for task, seen in zip(self.tasks, self._seen, strict=True):
            if task.is_disabled:
                task.invalidate()
                seen[2] = False
        usable = [i for i, task in enumerate(self.tasks) if task.active.valid]
        enabled = [i for i in usable if self.tasks[i].operational_state.value == ENABLE]
        internal = [i for i in enabled if _is_internal(self.tasks[i])]
        enabled = [i for i in enabled if i not in internal]
        self._given_commands = tuple(
            (i, self.tasks[i]) for i in usable if self.tasks[i].controller.kind is LawKind.CUSTOM
        )
        self._led = tuple(
            self.tasks[i]
            for i in usable
            if self.tasks[i].is_led and self.tasks[i].controller.kind is not LawKind.CUSTOM
        )
        self._given_errors = tuple(
            self.tasks[i]
            for i in usable
            if self.tasks[i].error_kind is ErrorKind.CUSTOM
            and self.tasks[i].controller.kind is not LawKind.CUSTOM
        )
        self._destination.fill(SKIPPED)
        self._destination[usable] = SENSED
        levels: list[Level] = []
        is_force: list[bool] = []
        task_ends: list[int] = []
        row = 0
        places = {(-self.tasks[i].priority.value, _is_force(self.tasks[i])) for i in enabled}
        for place in sorted(places):
            start = row
            for i in enabled:
                task = self.tasks[i]
                if (-task.priority.value, _is_force(task)) == place:
                    self._destination[i] = row
                    is_force += [_is_force(task)] * task.rows
                    row += task.rows
                    task_ends.append(row)
            levels.append(Level(-place[0], slice(start, row)))
        self.levels = tuple(levels)
        self.jacobian, self.command = self._jacobian[:row], self._command[:row]
        self.bias = self._bias[:row]
        start = row
        for i in internal:
            self._destination[i] = row
            row += self.tasks[i].rows
        self.internal_jacobian = self._jacobian[start:row]
        self.internal_command = self._command[start:row]
        self.is_force = np.array(is_force, dtype=bool)
        self._has_force_rows = any(is_force)
        self.load.fill(0.0)
        self.task_ends = np.array(task_ends, dtype=np.int64)
        self.level_ends = np.array([level.rows.stop for level in levels], dtype=np.int64)
        self._find_unilateral_rows(enabled)

    def _find_unilateral_rows(self, enabled: Sequence[int]) -> None:
        rows: list[int] = []
        source: list[int] = []
        for i in enabled:
            task = self.tasks[i]
            if task.is_unilateral:
                begin = int(self._destination[i])
                rows += range(begin, begin + task.rows)
                P = np.eye(task.dimension) if task.projection is None else task.projection
                source += (self._block.plan[i, FIRST] + np.argmax(P, axis=1)).tolist()
        self._unilateral_rows = np.array(rows, dtype=np.int64)
        self._unilateral_source = np.array(source, dtype=np.int64)
