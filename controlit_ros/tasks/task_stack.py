"""TaskStack: which rows are whose while some tasks act."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.task_layout import FIRST, SENSED, SKIPPED
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_parameters import ENABLE
from controlit_ros.tasks.task_set import Seat, TaskSet


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


class Standing(NamedTuple):
    """What of a task a stack depends on.

    Attributes:
        is_known: Whether its state is.
        acts: Whether it is enabled, too.
        priority: Of its level.
        weight: The revision of what its rows weigh.
    """

    is_known: bool = False
    acts: bool = False
    priority: int = 0
    weight: int = 0

    @classmethod
    def of(cls, task: Task) -> "Standing":
        """Return that of a task now."""
        is_known = task.active.valid
        acts = is_known and task.operational_state.value == ENABLE
        return cls(is_known, acts, task.priority.value, task.weight.revision)


class UnilateralRows(NamedTuple):
    """Rows of one block that act only where they have to.

    Attributes:
        rows: Where they stand in the stack.
        source: Where they stand in the block.
        block: Its rows.
        wanted: Room for their Jacobians.
    """

    rows: Indices
    source: Indices
    block: Array
    wanted: Array


class Places(NamedTuple):
    """Where the tasks of a block have their rows.

    Attributes:
        destination: The block's own, see `TaskBlock`.
        found: `(tasks,)` what stands there while the stack is used.
    """

    destination: Indices
    found: Indices


class TaskStack:
    """The rows of tasks that act, level by level, in the memory of a `TaskSet`.

    It depends on nothing but the `Standing` of each task, and has memory of its own for what does
    not change with the robot: so a stack that was used before can be used again.

    Args:
        tasks: Those there are.
        standings: Of each.

    Attributes:
        levels: See `CompoundTask`; so are the next ones to `level_ends`.
        has_force_rows: Whether rows command a force.
        unilateral: Rows that act only where they have to.
        led: Tasks whose goal something leads to.
        referred: Those whose rows depend on what the controller knows.
        given_errors: Those that compute their error themselves.
        given_commands: Those that compute their command themselves.
        is_plain: Whether nothing of that is there, nor forces: kernels do all that is to be done.
        order: Which tasks act, where their rows are, and where levels end.
    """

    def __init__(self, tasks: TaskSet, standings: Sequence[Standing]) -> None:
        each = list(zip(tasks.seats, standings, strict=True))
        usable = [seat for seat, standing in each if standing.is_known]
        acting = [(seat, standing) for seat, standing in each if standing.acts]
        enabled = [(seat, standing) for seat, standing in acting if not _is_internal(seat.task)]
        computed = [seat.task for seat in usable if not _is_custom(seat.task)]
        self.given_commands = tuple(seat for seat in usable if _is_custom(seat.task))
        self.led = tuple(task for task in computed if task.is_led)
        self.given_errors = tuple(task for task in computed if task.error_kind is ErrorKind.CUSTOM)
        self.referred = tuple(seat for seat, _ in enabled if seat.task.is_referred)
        self._found = {id(block): np.full(len(block.tasks), SKIPPED) for block in tasks.blocks}
        self._places = tuple(
            Places(block.destination, self._found[id(block)]) for block in tasks.blocks
        )
        for seat in usable:
            self._put(seat, SENSED)
        row = self._stack_levels(tasks, enabled)
        start = row
        for seat, _ in acting:
            if _is_internal(seat.task):
                self._put(seat, row)
                row += seat.task.rows
        self.internal_jacobian = tasks.jacobian[start:row]
        self.internal_command = tasks.stacked[0, start:row]
        self.unilateral = self._unilateral_rows(tasks, [seat for seat, _ in enabled])
        self.is_plain = not (
            self.has_force_rows
            or len(self.internal_command)
            or self.unilateral
            or self.led
            or self.given_errors
            or self.given_commands
            or self.referred
        )
        self.order = [(seat.task, self._row(seat)) for seat, _ in acting], self.level_ends.tolist()

    def take_places(self) -> None:
        """Let the blocks write their rows where they are in this stack."""
        for destination, found in self._places:
            destination[:] = found

    def _put(self, seat: Seat, row: int) -> None:
        self._found[id(seat.block)][seat.row] = row

    def _row(self, seat: Seat) -> int:
        return int(self._found[id(seat.block)][seat.row])

    def _stack_levels(self, tasks: TaskSet, enabled: Sequence[tuple[Seat, Standing]]) -> int:
        """Give the tasks of the levels their rows; return how many these are."""
        places: dict[tuple[int, bool], list[Seat]] = {}
        for seat, standing in enabled:
            # the levels come in this order
            place = -standing.priority, seat.task.command_kind is CommandKind.FORCE
            places.setdefault(place, []).append(seat)
        levels: list[Level] = []
        level_tasks: list[tuple[Task, ...]] = []
        is_force: list[bool] = []
        task_ends: list[int] = []
        weight: Array = np.ones(tasks.rows)
        row = 0
        for place, seats in sorted(places.items(), key=itemgetter(0)):
            start = row
            for seat in seats:
                self._put(seat, row)
                row += seat.task.rows
                seat.task.write_row_weights(weight[task_ends[-1] if task_ends else 0 : row])
                task_ends.append(row)
            is_force += [place[1]] * (row - start)
            levels.append(Level(-place[0], slice(start, row)))
            level_tasks.append(tuple(seat.task for seat in seats))
        self.levels = tuple(levels)
        self.level_tasks = tuple(level_tasks)
        self.jacobian, self.weight = tasks.jacobian[:row], weight[:row]
        self.command, self.bias = tasks.stacked[:, :row]
        self.is_force: Flags = np.array(is_force, dtype=bool)
        self.has_force_rows = any(is_force)
        self.task_ends: Indices = np.array(task_ends, dtype=np.int64)
        self.level_ends: Indices = np.array([level.rows.stop for level in levels], dtype=np.int64)
        return row

    def _unilateral_rows(
        self, tasks: TaskSet, enabled: Sequence[Seat]
    ) -> tuple[UnilateralRows, ...]:
        found: list[UnilateralRows] = []
        begin = 0
        for block in tasks.blocks:
            rows: list[int] = []
            source: list[int] = []
            for seat in enabled:
                task = seat.task
                if seat.block is block and task.is_unilateral:
                    first = self._row(seat)
                    rows += range(first, first + task.rows)
                    P = np.eye(task.dimension) if task.projection is None else task.projection
                    source += (block.plan[seat.row, FIRST] + np.argmax(P, axis=1)).tolist()
            if rows:
                end = begin + len(rows)
                indices = np.array(rows, dtype=np.int64), np.array(source, dtype=np.int64)
                found.append(UnilateralRows(*indices, block.rows, tasks.wanted[begin:end]))
                begin = end
        return tuple(found)


def _is_internal(task: Task) -> bool:
    return task.command_kind is CommandKind.INTERNAL_FORCE


def _is_custom(task: Task) -> bool:
    return task.controller.kind is LawKind.CUSTOM
