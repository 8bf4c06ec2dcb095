"""ExplanationSource: why the servo does what it does now."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import ControlItError
from controlit_ros.explanations.explain import explain
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.situation import Shaping, Situation
from controlit_ros.explanations.twin import Twin
from controlit_ros.introspection.cycle_row import STATES, CycleNumbers, CycleRow
from controlit_ros.introspection.probe import Probe, RowSampler
from controlit_ros.servo import CoordinatorState, Outbox, Sampler
from controlit_ros.servo.command_guard import HELD_BY
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.servo.members import Members
from controlit_ros.tasks import DISABLE, ENABLE


class NothingToExplainError(ControlItError):
    """The servo does not know the robot's state yet."""


class ExplanationSource:
    """Explains the present cycle to whoever asks; any thread but the servo's.

    The servo thread only copies numbers, while somebody waits for them. All else is computed on a
    twin of its parts, one explanation after the other.

    Args:
        twin: Returns the twin of the parts there are; called while none comes or goes.
        row_of: Returns the row of a cycle with certain parts.
        members: Those at the start.
        lock: Held while a part comes or goes.
        troubles: Returns what the servo told of errors last, the newest first.
        outbox: Brings the numbers.
    """

    def __init__(
        self,
        twin: Callable[[], Twin],
        row_of: Callable[[Members], CycleRow],
        members: Members,
        lock: AbstractContextManager[bool],
        troubles: Callable[[], tuple[str, ...]],
        outbox: Outbox,
    ) -> None:
        self._twin = twin
        self._row_of = row_of
        self._lock = lock
        self._troubles = troubles
        self._probe = Probe(row_of(members), outbox)
        self._alone = threading.Lock()

    @property
    def sampler(self) -> Sampler:
        """What brings the numbers."""
        return self._probe.sampler

    @sampler.setter
    def sampler(self, sampler: Sampler) -> None:
        assert isinstance(sampler, RowSampler)
        self._probe.sampler = sampler

    def follow(self, members: Members, begin: int | None = None) -> Sampler:
        """Return what brings the numbers of other parts (see `Follower`)."""
        return self._probe.prepare(self._row_of(members), begin)

    def explain(self) -> Explanation:
        """Return why the servo does what it does.

        Raises:
            SilentServoError: The servo makes no cycles.
            NothingToExplainError: It has no state of the robot yet.
            ConfigurationError: A part that came cannot be built once more.
        """
        with self._alone:
            with self._lock:
                twin, row = self._twin(), self._probe.row
                sample = self._probe.sample()
            numbers = row.take(sample.values, twin)
            if not numbers.facts.has_model:
                raise NothingToExplainError(
                    "nothing to explain yet: the servo has no state of the robot"
                )
            return explain(self._situation(sample.stamp, twin, row, numbers))

    def _situation(
        self, stamp: float, twin: Twin, row: CycleRow, numbers: CycleNumbers
    ) -> Situation:
        facts = numbers.facts
        model = ConstrainedModel(twin.robot, twin.constraints)
        model.update(row.state)
        for task in twin.tasks:
            task.tare.value = False
            task.active.valid = False
            if not task.is_disabled:
                task.update(model.robot_model, task.active)
        return Situation(
            robot=twin.robot,
            constraints=twin.constraints,
            model=model,
            tasks=twin.tasks,
            commands={
                task.name: task.command.value.copy()
                for task in twin.tasks
                if task.operational_state.value == ENABLE
            },
            errors={
                task.name: task.error.value.copy()
                for task in twin.tasks
                if task.operational_state.value != DISABLE
            },
            controller=twin.controller.chosen,
            limits=twin.limits,
            period=twin.period,
            shaping=_shaping(twin, row, numbers),
            stamp=stamp,
            state=STATES[int(facts.state)].value,
            troubles=self._troubles(),
            silence=facts.silence if facts.is_silent else 0.0,
        )


def _shaping(twin: Twin, row: CycleRow, numbers: CycleNumbers) -> Shaping | None:
    facts = numbers.facts
    if STATES[int(facts.state)] is CoordinatorState.INACTIVE:
        return None
    sent = _sent(twin, row)
    joints = twin.robot.command_joints
    return Shaping(
        asked=numbers.asked,
        sent=sent,
        net=sent - numbers.friction,
        held={
            joint: HELD_BY[int(kind)]
            for joint, kind in zip(joints, numbers.kinds.tolist(), strict=True)
            if kind
        },
        fallback_share=facts.fallback_share,
        ramp=facts.ramp,
    )


def _sent(twin: Twin, row: CycleRow) -> Array:
    """Return the effort of the command with what the robot's drives add, `(na,)`."""
    joints = twin.robot.command_indices
    memory = np.zeros((2, len(joints)))
    measured = row.measured
    position, velocity = measured.position[joints], measured.velocity[joints]
    total: Array = total_effort(
        row.command, position, velocity, out=memory[0], part=memory[1]
    ).copy()
    return total
