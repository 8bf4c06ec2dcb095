"""GoalReference: what leads a task to its goal without a jump, however the goal jumps."""

import importlib
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.parameters import Access, Parameter, ParameterError
from controlit_ros.tasks.task_state import TaskState

if TYPE_CHECKING:
    from controlit_ros.tasks.task import Task

NONE = "none"
TIME_OPTIMAL = "time_optimal"
REQUIREMENT = "ruckig>=0.19"

RETRY = 0.1  # [s] after which a plan that failed is tried again
MARGINS = (0.0, 1e-4, 3e-4, 1e-3)
UNEVEN = (0.3, 0.7, 1.0)
"""Limits are tried less by these parts: Ruckig fails where a motion just, or just not, reaches one,
as it does between round numbers."""


class Followed(NamedTuple):
    """What a task's law follows, and the error it makes less.

    Attributes:
        goal: Of the shape of the goal.
        velocity: Of the goal; `None`: at rest.
        acceleration: Of the goal; `None`: none.
        error: Goal minus actual value.
    """

    goal: Parameter
    velocity: Parameter | None
    acceleration: Parameter | None
    error: Parameter


class GoalReference:
    """Leads an intermediate goal to the goal in the shortest time, within limits.

    Velocity, acceleration and jerk of each component stay within limits, wherever and whenever the
    goal is set: in mid-motion, too, the acceleration is continuous (Berscheid and Kröger, Jerk-
    limited real-time trajectory generation with arbitrary target states, 2021; Ruckig). Components
    end together, on a straight line where they can. With `reference: none`, the default, nothing
    stands between goal and law.

    The error of the task stays that of the goal; the law makes `tracking_error` less.

    Args:
        task: Receives the parameters.
        unit: Of the goal.
        vector: Properties of a vector like the goal.
    """

    def __init__(self, task: "Task", unit: str, vector: dict[str, Any]) -> None:
        self._task = task
        self.kind = task.declare(
            "reference",
            NONE,
            choices=(NONE, TIME_OPTIMAL),
            access=Access.CONFIGURATION,
            description="what leads to a goal that is set: none, or an intermediate goal that goes "
            "there in the shortest time within max_goal_velocity, _acceleration and _jerk",
        )
        self.limits = tuple(
            task.declare(
                f"max_goal_{name}",
                default,
                lower=1e-6,
                unit=f"{unit}/{time}",
                description=f"largest {name} of the intermediate goal, of each component",
            )
            for name, default, time in (
                ("velocity", 0.5, "s"),
                ("acceleration", 4.0, "s²"),
                ("jerk", 50.0, "s³"),
            )
        )
        rest = (0.0,) * task.dimension
        self._outputs = tuple(
            task.declare(
                name,
                rest,
                unit=f"{unit}{per}",
                access=Access.OUTPUT,
                description=description,
                **vector,
            )
            for name, per, description in (
                ("intermediate_goal", "", "where the law leads to now"),
                ("intermediate_velocity", "/s", "its velocity"),
                ("intermediate_acceleration", "/s²", "its acceleration"),
                ("tracking_error", "", "intermediate goal minus actual value"),
            )
        )
        self.followed = Followed(*self._outputs)
        self.failure = ""

    def configure(self) -> bool:
        """Prepare, or take back the parameters that nothing depends on.

        Returns:
            Whether something stands between goal and law.

        Raises:
            ParameterError: Ruckig is not installed, or a limit is stated that limits nothing.
        """
        task = self._task
        if self.kind.value == NONE:
            for limit in self.limits:
                if limit.stated:
                    raise ParameterError(
                        f"{limit.full_name}: found {limit.value:g}, but nothing leads to the goal; "
                        f"expected {self.kind.full_name}: {TIME_OPTIMAL} beside it"
                    )
            for parameter in (*self.limits, *self._outputs):
                task.retract(parameter)
            return False
        self._solver = _solver(self.kind.full_name, task.dimension)
        weakref.finalize(self, vars(self._solver).clear)  # it complains of what Python's end leaves
        self._revision = -1
        self._time = 0.0
        self._since = 0.0
        self._has_begun = False
        self._has_plan = False
        return True

    def restart(self) -> None:
        """Begin anew where the task is; servo thread."""
        self._has_begun = False

    def rest(self, state: TaskState) -> None:
        """Stay where the task is, as long as it does not act; servo thread."""
        self.restart()
        goal, velocity, acceleration, _ = (parameter.value for parameter in self._outputs)
        goal[:] = state.actual
        velocity[:] = state.velocity
        acceleration.fill(0.0)

    def step(self, state: TaskState, period: float) -> None:
        """Move the intermediate goal on; servo thread.

        Args:
            state: The task's active one: where the intermediate goal begins.
            period: Time since the last step [s].
        """
        goal, velocity, acceleration, _ = (parameter.value for parameter in self._outputs)
        revision = self._task.goal.revision + sum(limit.revision for limit in self.limits)
        is_new = revision != self._revision or (bool(self.failure) and self._since > RETRY)
        if not self._has_begun:
            self.rest(state)
            self._has_begun, self._has_plan, is_new = True, False, True
        elif self._has_plan:
            self._time += period
            goal[:], velocity[:], acceleration[:] = self._solver.now.at_time(self._time)
        self._since += period
        if is_new:
            self._revision, self._since = revision, 0.0
            self._plan(goal, velocity, acceleration)
        if not self._has_plan:  # it holds where it began
            velocity.fill(0.0)
            acceleration.fill(0.0)

    def _plan(self, goal: Array, velocity: Array, acceleration: Array) -> None:
        """Lead from here to the goal; where no way is found, the last plan stays, which is told."""
        inputs = self._solver.inputs
        inputs.current_position = goal.tolist()
        inputs.current_velocity = velocity.tolist()
        inputs.current_acceleration = acceleration.tolist()
        inputs.target_position = self._target(goal).tolist()
        if not any(map(self._is_planned, MARGINS)):
            self.failure = (
                f"{self._task.goal.full_name}: no way is found to {inputs.target_position}"
            )
            return
        self.failure = ""
        self._time = 0.0
        self._has_plan = True

    def _target(self, goal: Array) -> Array:
        """Return where to go, without the directions that the task does not act on."""
        target: Array = self._task.goal.value
        if self._task.projection is None:
            return target
        way = target - goal
        self._task.project(way)
        return goal + way

    def _is_planned(self, margin: float) -> bool:
        """Try to plan with limits that are less by a margin, and take it over."""
        solver, n = self._solver, self._task.dimension
        inputs = solver.inputs
        inputs.max_velocity, inputs.max_acceleration, inputs.max_jerk = (
            [(1.0 - part * margin) * limit.value] * n
            for part, limit in zip(UNEVEN, self.limits, strict=True)
        )
        try:
            is_solved = solver.generator.calculate(inputs, solver.next) == solver.solved
        except Exception:  # noqa: BLE001 - of its own, or of its binding, which knows not all codes
            return False
        if is_solved:
            solver.now, solver.next = solver.next, solver.now
        return bool(is_solved)


def _solver(name: str, dimension: int) -> SimpleNamespace:
    try:
        ruckig = importlib.import_module("ruckig")
    except ImportError as error:
        raise ParameterError(
            f"{name}: found {TIME_OPTIMAL!r}, which needs ruckig, and that cannot be imported "
            f"({error}); expected {NONE!r}, or pip install '{REQUIREMENT}'"
        ) from None
    inputs = ruckig.InputParameter(dimension)
    inputs.synchronization = ruckig.Synchronization.Phase
    return SimpleNamespace(
        generator=ruckig.Ruckig(dimension),
        inputs=inputs,
        now=ruckig.Trajectory(dimension),
        next=ruckig.Trajectory(dimension),
        solved=ruckig.Result.Working,
    )
