"""LedTask: a task whose goal may be led along paths."""

import math
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.coupled_goals import ContradictionError, CoupledGoals, Couplings
from controlit_ros.bindings.frame_names import FIXED_TO_THE_WORLD, ROBOT_ALONE, FrameNames
from controlit_ros.errors import ControlItError
from controlit_ros.model import WORLD
from controlit_ros.parameters import (
    Parameter,
    ParameterError,
    PlannedTurns,
    Poster,
    Quantity,
)
from controlit_ros.paths.angular import angular
from controlit_ros.paths.limits import looks, sample
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.tasks.task import LARGEST_GOAL, Task
from controlit_ros.tasks.task_parameters import ENABLE

ROUNDING = 1e-6  # [rad] or [m] how far past a limit a planner may round


class RefusedGoalError(ControlItError):
    """A goal cannot be led to; the text says what was found and what was expected."""


class LedTask:
    """Where a goal is, may go, and how it gets there.

    Args:
        task: Whose goal it is.
        mailbox: Takes goals to the servo.
        lower: `(k,)` lowest goal.
        upper: `(k,)` highest goal.
        fastest: Highest speed, of the vector's length or `(k,)` of joints; infinite for none.
        frames: What frames may be called, beside their names of the description.
        couplings: Joints that follow others.
    """

    def __init__(
        self,
        task: Task,
        mailbox: Poster,
        lower: Array | float = -math.inf,
        upper: Array | float = math.inf,
        fastest: Array | float = math.inf,
        frames: FrameNames = ROBOT_ALONE,
        couplings: Couplings = tuple,
    ) -> None:
        self.task = task
        self._mailbox = mailbox
        self._lower = lower
        self._upper = upper
        self._fastest = fastest
        self._frames = frames
        self._couplings = couplings

    @property
    def name(self) -> str:
        """Of the task."""
        return self.task.name

    @property
    def goal(self) -> Parameter:
        """What moves."""
        return self.task.goal

    @property
    def acts(self) -> bool:
        """Whether the task commands."""
        return bool(self.task.operational_state.value == ENABLE)

    @property
    def fastest(self) -> Array | float:
        """Highest speed that the goal may have: of the joints, and of the law's `max_velocity`.

        Of a pose `(2,)`: of its place and of its turn.
        """
        limit = getattr(self.task.controller, "max_velocity", None)
        if not isinstance(limit, Parameter):
            return self._fastest
        stated = np.where(np.asarray(limit.value) > 0.0, limit.value, math.inf)
        slowest: Array = np.minimum(self._fastest, stated)
        if self.goal.quantity is Quantity.POSE:  # of place and turn, for the length of either
            slowest = slowest.reshape(2, -1).min(axis=1)
        return slowest if slowest.ndim else float(slowest)

    def check(self, frame: str) -> None:
        """Check that the goal can be led.

        Args:
            frame: That it is given in; empty for the task's own.

        Raises:
            RefusedGoalError: It cannot, now or ever.
        """
        if self.task.is_led:
            raise RefusedGoalError(
                f"{self.name} has a reference of its own, which would lag behind: set its goal, "
                "or do without"
            )
        if not self.acts:
            raise RefusedGoalError(
                f"{self.name} cannot be moved: its state is {self.task.operational_state.value}, "
                f"expected {ENABLE}"
            )
        own, named = WORLD, self._frames.inside(frame)
        if self.task.goal_frame is not None:
            own = self.task.goal_frame.frame.value
        is_world = own in FIXED_TO_THE_WORLD and named in FIXED_TO_THE_WORLD
        if frame and named != own and not is_world:
            raise RefusedGoalError(f"{self.name}: found frame {frame!r}, expected {own!r} or none")

    def at_rest(self) -> TrajectorySample:
        """Return where the goal is, without motion."""
        return TrajectorySample.at_rest(self.goal.value)

    def place(
        self, names: Sequence[str], numbers: Array, before: Array, turns: PlannedTurns
    ) -> Array:
        """Return a checked goal.

        Args:
            names: Of the numbers; empty: all.
            numbers: `(n,)`.
            before: `(k,)` what those have that are not named.
            turns: Of the plan that it belongs to.

        Raises:
            RefusedGoalError: They are no goal of the task.
        """
        try:
            value = self.goal.validate(self._named(names, numbers) if names else numbers)
        except ParameterError as error:
            raise RefusedGoalError(str(error)) from None
        result = turns.place(value, before)
        if np.abs(result).max(initial=0.0) > LARGEST_GOAL:
            raise RefusedGoalError(
                f"{self.goal.full_name}: found {np.abs(result).max():g}, expected at most "
                f"{LARGEST_GOAL:g}"
            )
        return self._coupled(names, result)

    def _coupled(self, names: Sequence[str], goal: Array) -> Array:
        """Return a goal in which joints follow those they are coupled to."""
        joints = self.goal.labels
        try:
            return CoupledGoals(joints, names or joints, self._couplings()).positions(goal)
        except ContradictionError as error:
            raise RefusedGoalError(f"{self.goal.full_name} leads {error}") from None

    def _named(self, names: Sequence[str], numbers: Array) -> dict[str, float]:
        if len(names) != len(numbers) or len(set(names)) != len(names):
            raise RefusedGoalError(
                f"{self.goal.full_name}: found {len(numbers)} numbers for {len(names)} names, "
                f"{len(set(names))} of them different; expected one number a name"
            )
        return dict(zip(names, numbers.tolist(), strict=True))

    def at_names(self, names: Sequence[str], start: TrajectorySample) -> TrajectorySample:
        """Return a start in which what is not named rests."""
        if not names:
            return start
        named = np.isin(self.goal.labels, list(names))
        return TrajectorySample(start.value, start.velocity * named, start.acceleration * named)

    def check_range(self, path: Path) -> None:
        """Check that a path stays within the limits; where it begins beyond, it may not go further.

        Raises:
            RefusedGoalError: It does not, or is not finite somewhere.
        """
        values = sample(path, looks(path)).value
        if not np.isfinite(values).all():
            raise RefusedGoalError(f"{self.name}: the path to there is not finite")
        if self.goal.quantity is not Quantity.PLAIN:
            return
        low = np.minimum(self._lower, values[0]) - ROUNDING
        high = np.maximum(self._upper, values[0]) + ROUNDING
        beyond = np.argwhere((values < low) | (values > high))
        if len(beyond):
            row, column = beyond[0]
            name = self.goal.labels[column] if self.goal.labels else f"component {column}"
            lower, upper = (
                np.broadcast_to(limit, low.shape)[column] for limit in (self._lower, self._upper)
            )
            raise RefusedGoalError(
                f"{self.name}: {name} goes to {values[row, column]:.4g}, expected {lower:g} to "
                f"{upper:g}, its limits"
            )

    def post(self, state: TrajectorySample) -> None:
        """Send a goal with its velocity and acceleration to the servo."""
        fed_forward = angular(state) if self.goal.quantity.turns else state
        task = self.task
        values = {task.goal: fed_forward.value}
        if task.goal_velocity is not None:
            values[task.goal_velocity] = fed_forward.velocity
        if task.goal_acceleration is not None:
            values[task.goal_acceleration] = fed_forward.acceleration
        self._mailbox.post(values)

    def stay(self) -> None:
        """Move the goal to where the robot is, at rest."""
        if self.task.latches:
            self._mailbox.post({self.task.tare: True})
