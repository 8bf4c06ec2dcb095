"""GoalWatch: whether goals swing, so that joints that swing do as they are commanded."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import show
from controlit_ros.parameters import Parameter
from controlit_ros.tasks import Task
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.task_parameters import ENABLE

SAMPLES = 256  # [changes] remembered of each goal
BRIEFEST = 0.004  # [s] between two of them
WINDOW = 1.0  # [s] of changes that are considered
RECENT = 0.25  # [s] since the last change; older ones move nothing now
LEAST_REVERSALS = 4  # [-] of a goal that swings
LEAST_SHARE = 0.25  # [-] of the goal's range; what changes by less is noise
OVERSHOOT = 1.5  # [-] of a joint's motion over that of the goal it follows
ALIKE = 2.0  # [-] frequencies that differ by less may be the same
AT_END = 0.1  # [-] of the range; goals that are all so near its ends jump between two values


class GoalSwing(NamedTuple):
    """A goal that goes back and forth.

    Attributes:
        parameter: The goal, or its velocity or acceleration.
        order: 0, 1, 2 likewise.
        ends: `(2, …)` the values it goes between.
        frequency: Of the swing, two reversals each [Hz].
        alternates: Whether it jumps between both ends.
    """

    parameter: Parameter
    order: int
    ends: Array
    frequency: float
    alternates: bool

    def __str__(self) -> str:
        """Return what a user needs to find the publishers."""
        low, high = (show(np.round(end, 6)) for end in self.ends)
        text = (
            f"{self.parameter.full_name} goes between {low} and {high} at {self.frequency:.3g} Hz"
        )
        if self.alternates:
            text += ", as where two publishers set it in turn; let only one set it"
        return text


class JointSwing(NamedTuple):
    """A joint that goes back and forth.

    Attributes:
        dof: Where it stands in the velocity vector.
        speed: Amplitude of its velocity [rad/s] or [m/s].
        frequency: Of the swing [Hz].
    """

    dof: int
    speed: float
    frequency: float


class _GoalRecord:
    """The latest values of one goal."""

    def __init__(self, task: Task, parameter: Parameter, order: int) -> None:
        self.task, self.parameter, self.order = task, parameter, order
        self.revision = parameter.revision
        self._values: Array = np.zeros((SAMPLES, parameter.value.size))
        self._times: Array = np.full(SAMPLES, -math.inf)
        self._next = 0
        self._last = -math.inf

    def note(self, now: float) -> None:
        """Remember the value, which was set since the last time; servo thread."""
        self.revision = self.parameter.revision
        if now - self._last >= BRIEFEST:
            self._values[self._next] = self.parameter.value.reshape(-1)
            self._times[self._next] = self._last = now
            self._next = (self._next + 1) % SAMPLES

    def forget(self) -> None:
        """Forget all values."""
        self._times.fill(-math.inf)
        self._last = -math.inf

    def swing(self, now: float) -> GoalSwing | None:
        """Return how the goal swings; `None`: it does not."""
        order = np.argsort(self._times, kind="stable")
        order = order[self._times[order] > now - WINDOW]
        times, values = self._times[order], self._values[order]
        if len(times) <= LEAST_REVERSALS or now - times[-1] > RECENT:
            return None
        main = int(np.argmax(np.ptp(values, axis=0)))
        along = values[:, main]
        extent = float(np.ptp(along))
        turns = _turning_points(along, LEAST_SHARE * extent) if extent > 0.0 else []
        reversals = len(turns) - 1
        if reversals < LEAST_REVERSALS:
            return None
        ends = values[[int(np.argmin(along)), int(np.argmax(along))]]
        frequency = 0.5 * reversals / (times[turns[-1]] - times[turns[0]])
        margin = np.minimum(along - along.min(), along.max() - along)
        alternates = bool((margin <= AT_END * extent).all())
        return GoalSwing(self.parameter, self.order, ends, float(frequency), alternates)


class GoalWatch:
    """Remembers goals that change while control is active; servo thread.

    Args:
        tasks: Those there are; who changes them does so in place.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._changes = -1
        self._records: dict[Parameter, _GoalRecord] = {}
        self._known: tuple[Task, ...] = ()
        self._adopt()

    def begin(self) -> None:
        """Forget all changes."""
        for record in self._records.values():
            record.forget()

    def follow(self, now: float) -> None:
        """Remember what was set since the last call [s]."""
        if self._changes == Parameter.changes:
            return
        self._changes = Parameter.changes
        if tuple(self._tasks) != self._known:
            self._adopt()
        for record in self._records.values():
            if record.parameter.revision != record.revision:
                record.note(now)

    def swings(self, now: float) -> list[GoalSwing]:
        """Return the goals of enabled tasks that go back and forth."""
        found = [record.swing(now) for record in self._acting()]
        return [swing for swing in found if swing is not None]

    def cause(self, joints: Sequence[JointSwing], now: float) -> str:
        """Return which goals the swings of joints follow; empty: some follow none.

        A joint that swings with velocity v at the frequency f moves its task by `|J| v / (2 π f)`.
        Where that is much more than the goal moves, or at another frequency, control itself swings.
        """
        swinging = [(r, swing) for r in self._acting() if (swing := r.swing(now)) is not None]
        texts = []
        for joint in joints:
            text = next((str(s) for r, s in swinging if _explains(r.task, s, joint)), "")
            if not text:
                return ""
            if text not in texts:
                texts.append(text)
        return "; ".join(texts)

    def _acting(self) -> list[_GoalRecord]:
        return [
            record
            for record in self._records.values()
            if record.task.operational_state.value == ENABLE
        ]

    def _adopt(self) -> None:
        self._known = tuple(self._tasks)
        records = {}
        for task in self._known:
            if task.command_kind is not CommandKind.ACCELERATION:
                continue
            goals = (task.goal, task.goal_velocity, task.goal_acceleration)
            for order, goal in enumerate(goals):
                if goal is not None:
                    records[goal] = self._records.get(goal) or _GoalRecord(task, goal, order)
        self._records = records


def _explains(task: Task, swing: GoalSwing, joint: JointSwing) -> bool:
    """Return whether a joint moves a task about as often as its goal moves, and no further."""
    if not swing.frequency / ALIKE <= joint.frequency <= swing.frequency * ALIKE:
        return False
    pace = 2.0 * math.pi * joint.frequency
    reach = float(np.linalg.norm(task.active.jacobian[:, joint.dof]))
    moved = reach * joint.speed * pace ** (swing.order - 1)
    low, high = (end.reshape(swing.parameter.value.shape) for end in swing.ends)
    if swing.order == 0:
        way: Array = np.zeros(task.dimension)
        task.write_way(low, high, way)
    else:
        way = high - low
    return 0.0 < moved <= OVERSHOOT * 0.5 * float(np.linalg.norm(way))


def _turning_points(values: Array, least: float) -> list[int]:
    """Return where a signal turns back by at least so much, its two ends included."""
    turns, side = [0], 0.0
    for i, value in enumerate(values.tolist()):
        away = value - float(values[turns[-1]])
        if side == 0.0:
            if abs(away) >= least:
                side = math.copysign(1.0, away)
                turns.append(i)
        elif away * side >= 0.0:
            turns[-1] = i
        elif abs(away) >= least:
            side = -side
            turns.append(i)
    return turns
