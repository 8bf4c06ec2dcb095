"""GoalReference: what leads a task to its goal without a jump, however the goal jumps."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import (
    Access,
    Parameter,
    ParameterError,
    ParameterReflection,
    Quantity,
)
from controlit_ros.paths.angular import angular, on_sphere
from controlit_ros.paths.jerk_limited import JerkLimitedPlan, MissingRuckigError
from controlit_ros.paths.jerk_limited_pose import JerkLimitedPose
from controlit_ros.paths.jerk_limited_turn import JerkLimitedTurn
from controlit_ros.paths.time_optimal import TIME_OPTIMAL
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.tasks.task_state import TaskState

NONE = "none"

RETRY = 0.1  # [s] after which a plan that failed is tried again


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
    goal is set, in mid-motion, too (`JerkLimitedPlan`). Directions and orientations turn on the
    sphere, where limits are those of the turn (`JerkLimitedTurn`). With `reference: none`, the
    default, nothing stands between goal and law.

    The error of the task stays that of the goal; the law makes `tracking_error` less.

    Args:
        owner: The task; receives the parameters.
        goal: Where to lead.
        project: Takes out of a vector, in place, what the task does not act on; returns whether
            there is such a thing.
        dimension: How many components the error has.
        unit: Of the error.
        vector: Properties of a vector like the error.
    """

    def __init__(
        self,
        owner: ParameterReflection,
        goal: Parameter,
        project: Callable[[Array], bool],
        dimension: int,
        unit: str,
        vector: dict[str, Any],
    ) -> None:
        self._owner = owner
        self._goal = goal
        self._project = project
        self.kind = owner.declare(
            "reference",
            NONE,
            choices=(NONE, TIME_OPTIMAL),
            access=Access.CONFIGURATION,
            description="what leads to a goal that is set: none, or an intermediate goal that goes "
            "there in the shortest time within max_goal_velocity, _acceleration and _jerk",
        )
        self.limits = tuple(
            owner.declare(
                f"max_goal_{name}",
                default,
                lower=1e-6,
                unit=f"{unit}/{time}",
                description=f"largest {name} of the intermediate goal, of each component; where it "
                "turns, of the turn",
            )
            for name, default, time in (
                ("velocity", 0.5, "s"),
                ("acceleration", 4.0, "s²"),
                ("jerk", 50.0, "s³"),
            )
        )
        rest = (0.0,) * dimension
        like = {"shape": goal.shape, "labels": goal.labels, "quantity": goal.quantity}
        self._outputs = tuple(
            owner.declare(
                name, default, unit=of, access=Access.OUTPUT, description=description, **properties
            )
            for name, default, of, description, properties in (
                ("intermediate_goal", goal.default, goal.unit, "where the law leads to now", like),
                ("intermediate_velocity", rest, f"{unit}/s", "its velocity", vector),
                ("intermediate_acceleration", rest, f"{unit}/s²", "its acceleration", vector),
                ("tracking_error", rest, unit, "intermediate goal minus actual value", vector),
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
        if self.kind.value == NONE:
            for limit in self.limits:
                if limit.stated:
                    raise ParameterError(
                        f"{limit.full_name}: found {limit.value:g}, but nothing leads to the goal; "
                        f"expected {self.kind.full_name}: {TIME_OPTIMAL} beside it"
                    )
            for parameter in (*self.limits, *self._outputs):
                self._owner.retract(parameter)
            return False
        self._plan = self._new_plan()
        self._turns = self._goal.quantity.turns
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
        revision = self._goal.revision + sum(limit.revision for limit in self.limits)
        is_new = revision != self._revision or (bool(self.failure) and self._since > RETRY)
        if not self._has_begun:
            self.rest(state)
            self._has_begun, self._has_plan, is_new = True, False, True
        elif self._has_plan:
            self._time += period
            goal[:], velocity[:], acceleration[:] = self._at(self._time)
        self._since += period
        if is_new:
            self._revision, self._since = revision, 0.0
            self._lead_from(self._begin(TrajectorySample(goal, velocity, acceleration)))
        if not self._has_plan:  # it holds where it began
            velocity.fill(0.0)
            acceleration.fill(0.0)

    def _new_plan(self) -> JerkLimitedPlan | JerkLimitedTurn | JerkLimitedPose:
        goal = self._goal
        try:
            if goal.quantity is Quantity.POSE:
                return JerkLimitedPose()
            return (JerkLimitedTurn if goal.unit_length else JerkLimitedPlan)(goal.value.size)
        except MissingRuckigError as error:
            raise ParameterError(
                f"{self.kind.full_name}: found {TIME_OPTIMAL!r}, which {error}, or {NONE!r}"
            ) from None

    def _at(self, time: float) -> Sequence[Sequence[float] | Array]:
        """Return the intermediate goal and how it moves, as the law takes that."""
        found = self._plan.at(time)
        return angular(TrajectorySample(*found)) if self._turns else found

    def _begin(self, now: TrajectorySample) -> TrajectorySample:
        """Return what the law follows now as a plan begins with it."""
        if self._turns:
            return on_sphere(now)
        if self._goal.unit_length:  # it stays on the sphere, however its direction came about
            inwards = now.acceleration @ now.value + now.velocity @ now.velocity
            return now._replace(acceleration=now.acceleration - inwards * now.value)
        return now

    def _lead_from(self, start: TrajectorySample) -> None:
        """Lead from here to the goal; where no way is found, the last plan stays, which is told."""
        target = self._target(start.value)
        limits = [np.full(target.size, limit.value) for limit in self.limits]
        if not self._plan.plan(start, target, limits):
            self.failure = f"{self._goal.full_name}: no way is found to {target.tolist()}"
            return
        self.failure = ""
        self._time = 0.0
        self._has_plan = True

    def _target(self, goal: Array) -> Array:
        """Return where to go, without the directions of a line that the task does not act on."""
        target: Array = self._goal.value
        if self._goal.unit_length:
            return target
        way = target - goal
        return goal + way if self._project(way) else target
