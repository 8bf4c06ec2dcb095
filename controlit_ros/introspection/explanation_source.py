"""ExplanationSource: why the servo does what it does now."""

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from math import nan
from typing import Any

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


class ExplanationSource:
    """Explains the present cycle to whoever asks; any thread but the servo's.

    The servo thread only copies numbers, while somebody waits for them. All else is computed on a
    twin of its parts, one explanation after the other.

    Args:
        twin: Of the servo's parts.
        row: Brings it to a cycle.
        is_current: Returns whether the servo still has the tasks that the twin has.
        troubles: Returns what the servo told of errors last, the newest first.
        outbox: Brings the numbers.
        delay: Of the round trip [s]; not a number: unknown.
    """

    def __init__(
        self,
        twin: Twin,
        row: CycleRow,
        is_current: Callable[[], bool],
        troubles: Callable[[], tuple[str, ...]],
        outbox: Outbox,
        delay: float,
    ) -> None:
        self._twin = twin
        self._row = row
        self._is_current = is_current
        self._troubles = troubles
        self._delay = delay
        self._probe = Probe(row.width, row.fill, outbox)
        self._alone = threading.Lock()

    def explain(self) -> Explanation:
        """Return why the servo does what it does.

        Raises:
            SilentServoError: The servo makes no cycles.
            NothingToExplainError: It has no state of the robot yet, or other tasks than at its
                start.
        """
        with self._alone:
            stamp, numbers = self._sample()
            situation = self._situation(stamp, numbers)
            return explain(replace(situation, shaping=self._shaping(numbers)))

    def preview(self, values: Mapping[Parameter, Any]) -> Preview:
        """Return what a change would do to the robot where it is now; nothing changes.

        Args:
            values: Checked ones, by parameters of the servo's parts.

        Raises:
            SilentServoError: The servo makes no cycles.
            NothingToExplainError: As `explain`, or a parameter is of none of the parts that
                compute.
        """
        with self._alone, ExitStack() as undo:
            stamp, numbers = self._sample()
            changes = self._changes_of(values)
            for parameter in changes:  # for what depends on revisions: the next sample brings none
                undo.callback(parameter.assign, copy(parameter.value))
            joins = self._joins(numbers, changes)
            situation = self._changed(self._situation(stamp, numbers), changes, joins)
            return self._previewed(situation, numbers)

    def _previewed(self, situation: Situation, numbers: CycleNumbers) -> Preview:
        """Compute the command of a situation, and tell of it."""
        robot, model = self._twin.robot, situation.model
        effort = now = np.full(len(numbers.asked), nan)
        if self._is_commanding(numbers):
            now = self._sent()
        trials = Trials(situation)
        stack = trials.stack(trials.enabled)
        command = trials.command(stack)
        levels = level_rows(stack, model)
        if command is not None:
            guard = self._twin.guard
            shaping = shaped(robot, guard, model, command, self._delay, numbers.friction)
            situation, effort = replace(situation, shaping=shaping), shaping.sent
        return Preview(explain(situation), robot.command_joints, now, effort, levels)

    def _sample(self) -> tuple[float, CycleNumbers]:
        """Return when a cycle was, and its numbers, to which the twin is brought."""
        if not self._is_current():
            raise NothingToExplainError(
                "tasks were added or removed since the controller was started, and only those of "
                "its file can be explained: save the configuration and explain that (controlit "
                "save, controlit explain FILE)"
            )
        sample = self._probe.sample()
        numbers = self._row.take(sample.values)
        if not numbers.facts.has_model:
            raise NothingToExplainError(
                "nothing to explain yet: the servo has no state of the robot"
            )
        return sample.stamp, numbers

    def _changes_of(self, values: Mapping[Parameter, Any]) -> dict[Parameter, Any]:
        """Return the same values by parameters of the twin."""
        twin = self._twin
        own = ParameterDirectory(
            (*twin.tasks, *twin.constraints.constraints, *twin.controller.parts)
        )
        foreign = [p.full_name for p in values if p.full_name not in own]
        if foreign:
            raise NothingToExplainError(
                f"what {', '.join(foreign)} would do cannot be told beforehand; expected "
                "parameters of tasks, constraints and whole-body controllers"
            )
        return {own[parameter.full_name]: value for parameter, value in values.items()}

    def _joins(self, numbers: CycleNumbers, changes: Mapping[Parameter, Any]) -> set[str]:
        """Return the tasks that would begin where the robot is: enabled, and without a goal."""
        pairs = zip(self._twin.tasks, numbers.stated.tolist(), strict=True)
        return {
            task.name
            for task, is_stated in pairs
            if task.is_disabled
            and changes.get(task.operational_state, DISABLE) != DISABLE
            and not is_stated
            and task.goal not in changes
        }

    def _changed(
        self, situation: Situation, changes: Mapping[Parameter, Any], joins: set[str]
    ) -> Situation:
        """Return a situation after a change, before the guard."""
        owners = {parameter.owner for parameter in changes}
        for parameter, value in changes.items():
            parameter.assign(value)
        twin = self._twin
        model = ConstrainedModel(twin.robot, twin.constraints)
        model.update(self._row.state)
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

    def _is_commanding(self, numbers: CycleNumbers) -> bool:
        return STATES[int(numbers.facts.state)] is not CoordinatorState.INACTIVE

    def _situation(self, stamp: float, numbers: CycleNumbers) -> Situation:
        twin, facts = self._twin, numbers.facts
        model = ConstrainedModel(twin.robot, twin.constraints)
        model.update(self._row.state)
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
            stamp=stamp,
            state=STATES[int(facts.state)].value,
            troubles=self._troubles(),
            silence=facts.silence if facts.is_silent else 0.0,
        )

    def _shaping(self, numbers: CycleNumbers) -> Shaping | None:
        facts = numbers.facts
        if not self._is_commanding(numbers):
            return None
        sent = self._sent()
        joints = self._twin.robot.command_joints
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

    def _sent(self) -> Array:
        """Return the effort of the command with what the robot's drives add, `(na,)`."""
        row, measured = self._row, self._row.measured
        return drive_total(self._twin.robot, row.command, measured.position, measured.velocity)
