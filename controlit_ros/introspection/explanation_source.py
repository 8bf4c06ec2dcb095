"""ExplanationSource: why the servo does what it does now."""

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from copy import copy
from dataclasses import replace
from math import nan
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import ControlItError
from controlit_ros.explanations.explain import explain
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.preview import Preview, level_rows
from controlit_ros.explanations.shaping import drive_total, shaped
from controlit_ros.explanations.situation import Shaping, Situation
from controlit_ros.explanations.trials import Trials
from controlit_ros.explanations.twin import Twin
from controlit_ros.introspection.cycle_row import STATES, CycleNumbers, CycleRow
from controlit_ros.introspection.probe import Probe
from controlit_ros.parameters import Parameter, ParameterDirectory
from controlit_ros.servo import CoordinatorState, Outbox
from controlit_ros.servo.command_guard import HELD_BY
from controlit_ros.tasks import DISABLE, ENABLE, CompoundTask


class NothingToExplainError(ControlItError):
    """The servo does not know the robot's state yet."""


class _Instant(NamedTuple):
    """A cycle: when it was, its numbers, and the twin and the row that were brought to it."""

    stamp: float
    twin: Twin
    row: CycleRow
    numbers: CycleNumbers

    @property
    def is_commanding(self) -> bool:
        """Whether anything was sent."""
        return STATES[int(self.numbers.facts.state)] is not CoordinatorState.INACTIVE

    @property
    def sent(self) -> Array:
        """The effort of the command with what the robot's drives add, `(na,)`."""
        row, measured = self.row, self.row.measured
        return drive_total(self.twin.robot, row.command, measured.position, measured.velocity)


class ExplanationSource:
    """Explains the present cycle to whoever asks; any thread but the servo's.

    The servo thread only copies numbers, while somebody waits for them. All else is computed on a
    twin of its parts, one explanation after the other.

    Args:
        twin: Returns the twin of the parts there are; called while none comes or goes.
        row: Of a cycle with the parts of the start.
        lock: Held while a part comes or goes.
        troubles: Returns what the servo told of errors last, the newest first.
        outbox: Brings the numbers.
        delay: Of the round trip [s]; not a number: unknown.

    Attributes:
        probe: Brings the numbers.
    """

    def __init__(
        self,
        twin: Callable[[], Twin],
        row: CycleRow,
        lock: AbstractContextManager[bool],
        troubles: Callable[[], tuple[str, ...]],
        outbox: Outbox,
        delay: float,
    ) -> None:
        self._twin = twin
        self._lock = lock
        self._troubles = troubles
        self._delay = delay
        self.probe = Probe(row, outbox)
        self._alone = threading.Lock()

    def explain(self) -> Explanation:
        """Return why the servo does what it does.

        Raises:
            SilentServoError: The servo makes no cycles.
            NothingToExplainError: It has no state of the robot yet.
            ConfigurationError: A part that came cannot be built once more.
        """
        with self._alone:
            instant = self._sample()
            return explain(replace(self._situation(instant), shaping=_shaping(instant)))

    def preview(self, values: Mapping[Parameter, Any]) -> Preview:
        """Return what a change would do to the robot where it is now; nothing changes.

        Args:
            values: Checked ones, by parameters of the servo's parts.

        Raises:
            SilentServoError: The servo makes no cycles.
            NothingToExplainError: As `explain`, or a parameter is of none of the parts that
                compute.
            ConfigurationError: As `explain`.
        """
        with self._alone, ExitStack() as undo:
            instant = self._sample()
            changes = _changes_of(values, instant.twin)
            for parameter in changes:  # for what depends on revisions: the next sample brings none
                undo.callback(parameter.assign, copy(parameter.value))
            joins = _joins(instant, changes)
            for contact in instant.twin.constraints.contacts:
                if contact.needs_reactions:
                    contact.end_ramp()  # undone by the next sample
            situation = _changed(instant, self._situation(instant), changes, joins)
            return self._previewed(situation, instant)

    def _previewed(self, situation: Situation, instant: _Instant) -> Preview:
        """Compute the command of a situation, and tell of it."""
        (robot, guard), numbers = (instant.twin.robot, instant.twin.guard), instant.numbers
        effort = now = np.full(len(numbers.asked), nan)
        if instant.is_commanding:
            now = instant.sent
        trials = Trials(situation)
        stack = trials.stack(trials.enabled)
        command = trials.command(stack)
        levels = level_rows(stack, situation.model)
        if command is not None:
            shaping = shaped(robot, guard, situation.model, command, self._delay, numbers.friction)
            situation, effort = replace(situation, shaping=shaping), shaping.sent
        return Preview(explain(situation), robot.command_joints, now, effort, levels)

    def _sample(self) -> _Instant:
        """Return a cycle of now."""
        with self._lock:
            twin, row = self._twin(), self.probe.row
            sample = self.probe.sample()
        numbers = row.take(sample.values, twin)
        if not numbers.facts.has_model:
            raise NothingToExplainError(
                "nothing to explain yet: the servo has no state of the robot"
            )
        return _Instant(sample.stamp, twin, row, numbers)

    def _situation(self, instant: _Instant) -> Situation:
        """Return what a cycle began with; how its command was shaped is not told."""
        twin, facts = instant.twin, instant.numbers.facts
        model = ConstrainedModel(twin.robot, twin.constraints)
        model.update(instant.row.state)
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
            stamp=instant.stamp,
            state=STATES[int(facts.state)].value,
            troubles=self._troubles(),
            silence=facts.silence if facts.is_silent else 0.0,
        )


def _changes_of(values: Mapping[Parameter, Any], twin: Twin) -> dict[Parameter, Any]:
    """Return the same values by parameters of the twin."""
    own = ParameterDirectory(twin.owners)
    foreign = [p.full_name for p in values if p.full_name not in own]
    if foreign:
        raise NothingToExplainError(
            f"what {', '.join(foreign)} would do cannot be told beforehand; expected "
            "parameters of tasks, constraints, inequalities and whole-body controllers"
        )
    return {own[parameter.full_name]: value for parameter, value in values.items()}


def _joins(instant: _Instant, changes: Mapping[Parameter, Any]) -> set[str]:
    """Return the tasks that would begin where the robot is: enabled, and without a goal."""
    pairs = zip(instant.twin.tasks, instant.numbers.stated.tolist(), strict=True)
    return {
        task.name
        for task, is_stated in pairs
        if task.is_disabled
        and changes.get(task.operational_state, DISABLE) != DISABLE
        and not is_stated
        and task.goal not in changes
    }


def _changed(
    instant: _Instant, situation: Situation, changes: Mapping[Parameter, Any], joins: set[str]
) -> Situation:
    """Return a situation after a change, before the guard."""
    owners = {parameter.owner for parameter in changes}
    for parameter, value in changes.items():
        parameter.assign(value)
    twin = instant.twin
    model = ConstrainedModel(twin.robot, twin.constraints)
    model.update(instant.row.state)
    touched = [task for task in twin.tasks if task.name in owners]
    for task in touched:
        task.active.valid = False
        if not task.is_disabled:
            task.update(model.robot_model, task.active)
            if task.name in joins:
                task.latch_goal()
    acting = [task for task in touched if not (task.is_disabled or task.is_led)]
    CompoundTask(acting, twin.robot.nv).compute(twin.period)
    commands, errors = dict(situation.commands), dict(situation.errors)
    for task in touched:
        if task.is_led and task.name in commands:
            continue  # its intermediate goal is where it is, however the goal jumps
        commands.pop(task.name, None), errors.pop(task.name, None)
        if task.operational_state.value == ENABLE:
            commands[task.name] = task.command.value.copy()
        if not task.is_disabled:
            errors[task.name] = task.error.value.copy()
    return replace(
        situation,
        model=model,
        commands=commands,
        errors=errors,
        controller=twin.controller.chosen,
    )


def _shaping(instant: _Instant) -> Shaping | None:
    if not instant.is_commanding:
        return None
    numbers, sent = instant.numbers, instant.sent
    facts, joints = numbers.facts, instant.twin.robot.command_joints
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
