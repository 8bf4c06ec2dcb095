"""CompoundTask: the prioritised set of tasks."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.few import Few
from controlit_ros.kernels import (
    admit_rows,
    force_load,
    is_finite_vector,
    withhold_rows,
)
from controlit_ros.parameters import Parameter, Roster
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.dynamics import Dynamics
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_set import Seat, TaskSet
from controlit_ros.tasks.task_stack import Standing, TaskStack

MOST = 32  # [stacks] feet come and go one by one: four of them make sixteen
LARGEST_COMMAND = 1e9  # [m/s², rad/s², N or N m] thousands of times what any robot does


class _Seen:
    """What tells of a task, without computing it, that its `Standing` may be another."""

    __slots__ = ("priority", "seat", "state", "valid", "weight")

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.forget()

    def forget(self) -> None:
        self.priority = self.state = self.weight = -1
        self.valid = False


def _ignore(_task: Task) -> None:
    pass


def _is_internal(task: Task) -> bool:
    return task.command_kind is CommandKind.INTERNAL_FORCE


class CompoundTask:
    """Stacks the commands and Jacobians of the enabled tasks, level by level (paper section 4.1).

    Tasks may change priority and state between two cycles; the stack follows at the next `compute`.

    Args:
        tasks: Configured tasks; order within a level is the order given here.
        nv: Size of the velocity vector; that of the tasks if there are some.

    Attributes:
        tasks: Those there are now.
        task_set: The same with their memory.
        stack: Which rows are whose; another one where others act, or act otherwise.
        levels: Highest priority first.
        level_tasks: The tasks of each level.
        jacobian: `(rows, nv)` stacked Jacobians of the last `compute`.
        command: `(rows,)` stacked commands, in m/s², rad/s² or N, N m.
        bias: `(rows,)` stacked `J̇ v`.
        weight: `(rows,)` how much each row counts in its level.
        is_force: `(rows,)` which rows command a force instead of an acceleration.
        load: `(nv,)` what the surroundings bear, `Σ Jᵀ F` over the rows that command a force.
        internal_jacobian: `(internal rows, nv)` Jacobians of the tasks that command internal
            forces; such tasks belong to no level.
        internal_command: `(internal rows,)` their commands [N] or [N m].
        task_ends: `(tasks,)` row past the last of each task that belongs to a level.
        level_ends: `(levels,)` row past the last of each level.
        arrangements: How often other tasks began to act, in another order or in other levels.
        on_join: Called with each task that is about to be computed for the first time since it was
            enabled; its active state is fresh.
    """

    def __init__(self, tasks: Sequence[Task], nv: int = 0) -> None:
        nv = tasks[0].robot.nv if tasks else nv
        self.load: Array = np.zeros(nv)
        self._admission_work: Array = np.zeros((2, nv))
        self.on_join: Callable[[Task], None] = _ignore
        self.arrangements = 0
        self._order: tuple[list[tuple[Task, int]], list[int]] = ([], [])
        self.tasks: Roster[Task] = Roster()
        self._seen: tuple[_Seen, ...] = ()
        self.adopt(TaskSet.of(tasks, nv))

    def adopt(self, tasks: TaskSet) -> None:
        """Work with another set from now on; servo thread, between two cycles.

        Tasks that stay go on as if nothing had happened, one that is new joins once its state is
        known. What leaves acts no more from the next `compute` on.
        """
        known = {id(seen.seat.task): seen for seen in self._seen}
        self.task_set = tasks
        self._seen = tuple(known.get(id(seat.task)) or _Seen(seat) for seat in tasks.seats)
        self.tasks.replace(tasks.tasks)
        self._jacobian = tasks.jacobian
        self._command = tasks.stacked[0]
        self._changes = -1
        self._stacks: Few[tuple[Standing, ...], TaskStack] = Few(MOST)
        self._use(TaskStack(tasks, [Standing()] * len(tasks.seats)))
        self._is_arranged = False

    def _use(self, stack: TaskStack) -> None:
        """Let a stack tell from now on which rows are whose."""
        self.stack = stack
        stack.take_places()
        self.levels, self.level_tasks = stack.levels, stack.level_tasks
        self.jacobian, self.command = stack.jacobian, stack.command
        self.bias, self.weight = stack.bias, stack.weight
        self.is_force = stack.is_force
        self.task_ends, self.level_ends = stack.task_ends, stack.level_ends
        self.internal_jacobian = stack.internal_jacobian
        self.internal_command = stack.internal_command
        self.has_force_rows = stack.has_force_rows
        self.has_unilateral_rows = bool(stack.unilateral)
        self.has_referred_rows = bool(stack.referred)
        self.load.fill(0.0)

    def compute(self, period: float) -> None:
        """Compute every enabled and sensing task and stack the enabled ones; servo thread.

        Args:
            period: Time since the last computation [s].
        """
        self.follow_changes()
        stack = self.stack
        for task in stack.led:
            task.lead(period)
        for task in stack.given_errors:
            task.compute_error()
        for task, _, _ in stack.given_commands:
            task.compute(period)
        self._compute(period)
        for task in stack.led:
            task.measure_goal()

    def follow_changes(self) -> None:
        """Take over what only changes with parameters; the beginning of `compute`.

        Where the `stack` is plain then, what is left of it are the kernels of
        `task_set.commands`.
        """
        if self._changes == Parameter.changes:
            return
        self._changes = Parameter.changes
        self._tare()
        for block in self.task_set.blocks:
            block.refresh()
        if self._has_new_structure() or not self._is_arranged:
            self._arrange()

    @property
    def is_finite(self) -> bool:
        """Whether every command of the last `compute` is a number."""
        internal = self.internal_command
        return is_finite_vector(self.command) and (not len(internal) or is_finite_vector(internal))

    def place(self, task: Task) -> slice:
        """Return where the rows of a task stand in the last `compute`; empty: it takes no part.

        Rows that command an internal force stand in `internal_command`, the others in `command`.
        """
        seat = next(seat for seat in self.task_set.seats if seat.task is task)
        row = int(seat.block.destination[seat.row])
        if row < 0:
            return slice(0, 0)
        start = row - len(self.command) if _is_internal(task) else row
        return slice(start, start + task.rows)

    def worst(self) -> Task | None:
        """Return the enabled task with a command that is not a number, or that no robot can follow.

        That is the greatest of those beyond `LARGEST_COMMAND`; none: the commands are in order.
        """
        worst, greatest = None, LARGEST_COMMAND
        for task, block, i in self.task_set.seats:
            if block.destination[i] >= 0:
                command = task.command.value
                size = float(np.abs(command).max(initial=0.0))
                if math.isnan(size) or size > greatest:
                    worst, greatest = task, math.inf if math.isnan(size) else size
        return worst

    def rehearse(self) -> None:
        """Compute the last cycle again; no integral grows in no time, and no error changes."""
        for block in self.task_set.blocks:
            block.keep()
        self._compute(0.0)
        for block in self.task_set.blocks:
            block.restore()

    def _compute(self, period: float) -> None:
        for compute in self.task_set.commands(period):
            compute()
        if self.has_force_rows:
            force_load(self.jacobian, self.command, self.is_force, self.load)
        for own in self.stack.unilateral:
            withhold_rows(own.rows, own.source, own.block, self._jacobian, own.wanted)

    def refer(self, dynamics: Dynamics) -> None:
        """Let tasks write rows that depend on the dynamics of this cycle; servo thread.

        A controller calls it before it uses the stack.
        """
        for task, block, i in self.stack.referred:
            row = int(block.destination[i])
            rows = slice(row, row + task.rows)
            task.refer(dynamics, self._jacobian[rows], self._command[rows])

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
        admitted = 0
        for own in self.stack.unilateral:
            admitted += admit_rows(
                own.rows,
                own.source,
                own.block,
                own.wanted,
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
        for seen in self._seen:
            task = seen.seat.task
            priority, state = task.priority.revision, task.operational_state.revision
            weight, valid = task.weight.revision, task.active.valid
            if valid and not seen.valid:
                self.on_join(task)
            found = (priority, state, weight, valid)
            if (seen.priority, seen.state, seen.weight, seen.valid) != found:
                seen.priority, seen.state, seen.weight, seen.valid = found
                changed = True
        return changed

    def _arrange(self) -> None:
        """Renew what depends on priorities, states and weights."""
        self._is_arranged = True
        for seen in self._seen:
            if seen.seat.task.is_disabled:
                seen.seat.task.invalidate()
                seen.valid = False
        standings = tuple([Standing.of(seat.task) for seat in self.task_set.seats])
        stack = self._stacks.get(standings)
        if stack is None:
            stack = self._stacks.keep(standings, TaskStack(self.task_set, standings))
        self._use(stack)
        if stack.order != self._order:
            self._order = stack.order
            self.arrangements += 1
