"""From a situation to an explanation."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.level_recursion import DAMP, TRUNCATE
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.explanations.contact_causes import contact_causes
from controlit_ros.explanations.explanation import Cause, CauseKind, Explanation, TaskAccount
from controlit_ros.explanations.goal_causes import AT_GOAL, goal_causes
from controlit_ros.explanations.kinematic_causes import kinematic_causes
from controlit_ros.explanations.level_causes import level_causes
from controlit_ros.explanations.limit_causes import (
    LimitCauses,
    bound_task,
    conflict,
    weak_causes,
)
from controlit_ros.explanations.reach import reach_cause
from controlit_ros.explanations.shaping_causes import guard_causes, saturation_causes, servo_causes
from controlit_ros.explanations.situation import Situation
from controlit_ros.explanations.trials import (
    LimitedEffort,
    Trials,
    asked_of,
    components,
    is_force,
    is_short,
)
from controlit_ros.parameters import Parameter
from controlit_ros.solvers import QPStatus
from controlit_ros.tasks import Task

PART = 0.2  # [-] of what is missing must be there with another setting for it to be a cause


def explain(situation: Situation) -> Explanation:
    """Tell what holds the tasks of a controller back.

    Everything is computed anew: what a task would get without another, without a limit, without a
    constraint. That takes some ten milliseconds and is nothing for the servo thread.
    """
    controller = situation.controller
    if not isinstance(controller, WBOSC) or not controller.null_space_saturation.value:
        return _Explaining(situation).explanation()
    limited = Trials(situation).limited(controller)
    controller.null_space_saturation.value = False
    try:
        return _Explaining(situation, limited).explanation()
    finally:
        controller.null_space_saturation.value = True


class _Explaining:
    """One explanation under way.

    Args:
        situation: What is explained; its controller and tasks are used for trials.
        limited: What becomes of the command where joints are held at their limits; `None`: nothing.
    """

    def __init__(self, situation: Situation, limited: LimitedEffort | None = None) -> None:
        self._situation = situation
        self._of_goals = {  # before trials change what the tasks hold
            task.name: goal_causes(
                task, situation.errors.get(task.name), situation.commands.get(task.name)
            )
            for task in situation.tasks
        }
        self._trials = trials = Trials(situation)
        self._stack = stack = trials.stack(trials.enabled)
        effort = trials.effort(stack)
        self._failure = trials.failure
        self._share = trials.force_share
        self._complaint = situation.controller.complaint()
        self._is_computed = effort is not None
        self._computed = self._acceleration(effort)
        shaping = situation.shaping
        sent = effort if limited is None else limited.effort
        self._effort = sent if shaping is None else shaping.net
        self._caused = self._acceleration(self._effort)
        controller = situation.controller
        self._qp = controller if isinstance(controller, WholeBodyQP) else None
        self._conflict = self._find_conflict()
        self._limits = self._active_limits()
        self._cuts = guard_causes(trials, stack)
        if limited is not None and effort is not None:
            self._cuts += saturation_causes(trials, stack, effort, limited)

    def explanation(self) -> Explanation:
        """Return it."""
        situation = self._situation
        return Explanation(
            situation.stamp,
            situation.state,
            situation.controller.name,
            type(situation.controller).__name__,
            tuple(self._causes()),
            self._conflict,
            tuple(self._account(task) for task in situation.tasks),
        )

    def _acceleration(self, effort: Array | None) -> Array | None:
        return None if effort is None else self._trials.acceleration(self._stack, effort)

    def _find_conflict(self) -> tuple[Cause, ...]:
        if self._qp is None:
            return ()
        is_solved = self._qp.solver_status.value == QPStatus.SOLVED.value
        if is_solved and not (self._qp.missing_contact_force.value or self._qp.missed):
            return ()
        return conflict(self._qp)

    def _active_limits(self) -> tuple[Cause, ...]:
        if self._qp is None or self._computed is None:
            return ()
        weak = weak_causes(self._qp)  # before others are tried
        return weak + LimitCauses(self._trials, self._qp, self._stack, self._computed).causes()

    def _causes(self) -> Iterator[Cause]:
        yield from servo_causes(self._situation)
        if not self._is_computed:
            yield Cause(CauseKind.STATE, "command", f"no command: {self._failure}")
        yield from self._limits
        yield from self._cuts
        if self._effort is not None:
            yield from contact_causes(self._trials, self._stack, self._effort)

    def _account(self, task: Task) -> TaskAccount:
        stack, trials = self._stack, self._trials
        error = self._situation.errors.get(task.name)
        command = self._situation.commands.get(task.name)
        asked = got = missing = np.zeros(0)
        if command is not None:
            asked = components(task, asked_of(stack, task))
            if is_force(task):
                got, missing = self._share * asked, (1.0 - self._share) * asked
            elif self._caused is not None:
                got = components(task, trials.got(stack, task, self._caused))
                missing = components(task, trials.missing(stack, task, self._caused))
        return TaskAccount(
            name=task.name,
            state=task.operational_state.value,
            priority=int(task.priority.value),
            unit=task.goal.unit if is_force(task) else f"{task.controller.unit}/s²",
            components=task.component_names,
            error=() if error is None else tuple(error.tolist()),
            asked=tuple(asked.tolist()),
            got=tuple(got.tolist()),
            missing=tuple(missing.tolist()),
            causes=tuple(self._causes_of(task, error, command)),
        )

    def _causes_of(self, task: Task, error: Array | None, command: Array | None) -> Iterator[Cause]:
        yield from self._of_goals[task.name]
        if command is None:
            return
        if is_force(task):
            yield from self._force(task)
            return
        yield from self._shortfall(task)
        yield from bound_task(task, tuple(self._cuts))
        if error is not None and task.latches and np.linalg.norm(error) > AT_GOAL:
            cause = reach_cause(self._situation, task, error)
            if cause is not None:
                yield cause

    def _shortfall(self, task: Task) -> Iterator[Cause]:
        """Tell why the computed effort does not do what a task asks."""
        if self._computed is None:
            yield from (cause._replace(tasks=(task.name,)) for cause in self._conflict)
            return
        short = self._trials.missing(self._stack, task, self._computed)
        if not is_short(short, asked_of(self._stack, task)):
            return
        yield from bound_task(task, self._limits)
        yield from kinematic_causes(self._trials, self._stack, task, short)
        yield from level_causes(self._trials, task, short)
        yield from self._settings(task, float(np.linalg.norm(short)))

    def _force(self, task: Task) -> Iterator[Cause]:
        if self._share < 1.0:
            yield Cause(CauseKind.FORCE, task.name, self._complaint, self._share)

    def _settings(self, task: Task, missing: float) -> Iterator[Cause]:
        """Tell which setting of the projections leaves a task what is missing."""
        controller = self._situation.controller
        if not isinstance(controller, WBOSC):
            return
        settings: tuple[tuple[Parameter, object, object], ...] = (
            (controller.reach_lower_levels, False, True),
            (controller.velocity_bias, False, True),
            (controller.singularity_handling, DAMP, TRUNCATE),
        )
        for parameter, found, other in settings:
            if parameter.value == found:
                gain = missing - self._shortfall_with(parameter, other, task)
                if gain > PART * missing:
                    text = (
                        f"{parameter.full_name} is {_plain(found)}: with {_plain(other)} "
                        f"{task.name} would get more of what it asks for"
                    )
                    unit = f"{task.controller.unit}/s²"
                    yield Cause(CauseKind.COMPENSATION, parameter.name, text, gain, unit)

    def _shortfall_with(self, parameter: Parameter, value: object, task: Task) -> float:
        before, parameter.value = parameter.value, value
        try:
            return self._trials.shortfall(self._trials.without(), task)
        finally:
            parameter.value = before


def _plain(value: object) -> str:
    return str(value).lower()
