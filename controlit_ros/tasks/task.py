"""Task: one objective of the controller."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.kernels import are_finite
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.own_methods import has_own, presume
from controlit_ros.parameters import Parameter, Reader
from controlit_ros.tasks.dynamics import Dynamics
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.feed_forward_age import FeedForwardAge
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.shape import AnyShape, shapes_by_names
from controlit_ros.tasks.state_pair import StatePair
from controlit_ros.tasks.task_parameters import ENABLE, TaskParameters
from controlit_ros.tasks.task_state import TaskState

LARGEST_GOAL = 1e6  # [m, rad, and their rates, N or N m] far beyond any robot's

_UPDATES = ("_update", "update")  # who has one of his own is asked for it


class Task(TaskParameters, ABC):
    """A goal, an error, a control law and a Jacobian (paper section 4.1).

    Two halves run in two threads. `update` (task updater) computes from a model what does not
    depend on goals: actual value, Jacobian, velocity, bias. `compute` (servo) compares the active
    state with the goals and applies the control law. A concrete task declares its parameters in
    `__init__`, gives `dimension`, and implements `_update`; it may override `configure` to resolve
    names and `_error` where the error is more than goal minus actual. What a user can say of it,
    and what of its error it acts on, is in `TaskParameters`.

    Args:
        name: Unique name.
        robot: The robot's structure.
        dimension: Rows of Jacobian, error and command.
        axes: Names of the components of the error, if a user may select some of them.
        default_axes: Those selected unless the user says otherwise; none: all.

    Attributes:
        state_pair: What it knows of two model states; once configured.
        feed_forward_age: Of what is fed forward with the goal.
        continues: Whether it goes on with the goal of another task when it begins to act.
    """

    writes_velocity = False
    """Whether `_update` also writes `state.velocity`, which is `J v` in any case."""

    is_unilateral = False
    """Whether a row acts only where the other tasks would fall below its command."""
    needs_reactions = False
    """Whether the task reads `RobotState.contact_wrench`."""

    is_referred = False
    """Whether the task's rows depend on what the controller knows; see `refer`."""

    state_pair: StatePair

    def __init_subclass__(cls, **keywords: object) -> None:
        """Let a task with an error of its own be computed by it, unless it names a kind.

        A task with an update of its own need not know about velocities, whatever it inherits.
        """
        super().__init_subclass__(**keywords)
        presume(cls, "error_kind", ErrorKind.CUSTOM, ("_error",))
        presume(cls, "writes_velocity", Task.writes_velocity, ("_update",))
        presume(cls, "motions", Task.motions, _UPDATES)

    def __init__(
        self,
        name: str,
        robot: RobotDescription,
        dimension: int,
        axes: Sequence[str] = (),
        *,
        default_axes: Sequence[str] = (),
    ) -> None:
        super().__init__(name, robot, dimension, axes, default_axes=default_axes)
        self.feed_forward_age = FeedForwardAge()
        self.continues = False
        self._epoch = 0
        self._nothing: Array = np.zeros(dimension)

    def configure(self) -> None:
        """Resolve names and allocate; called once, after the parameters are set.

        Raises:
            ControlItError: A parameter does not fit the robot.
        """
        super().configure()
        nv, shape = self.robot.nv, self.actual.value.shape
        self.state_pair = StatePair(
            (
                TaskState.allocate(self.dimension, nv, shape),
                TaskState.allocate(self.dimension, nv, shape),
            ),
            np.zeros(1, dtype=np.int64),
            [
                parameter
                for parameter in self.parameters.values()
                if parameter.reader is Reader.TASK_UPDATER
                and parameter is not self.operational_state
            ],
        )
        self._clear_outputs()

    @property
    def epoch(self) -> int:
        """Changes each time the task begins to act."""
        return self._epoch

    @property
    def active(self) -> TaskState:
        """State the servo reads."""
        pair = self.state_pair
        return pair.both[pair.which[0]]

    @property
    def inactive(self) -> TaskState:
        """State the task updater writes."""
        return self.state_pair.inactive

    def motions(self) -> tuple[MotionSource, ...]:
        """Return all that `_update` does, if `kernels.task_motions` can do it; once configured.

        It may depend on nothing but parameters that the task updater reads.
        """
        return ()

    def is_steady(self) -> bool:
        """Tell whether an update would change nothing of the states but their numbers."""
        return (
            self.state_pair.is_steady
            and self.projection is None
            and not self.is_disabled
            and not has_own(self, _UPDATES)
        )

    def motion_words(self, model: RobotModel) -> tuple[Indices, ...]:
        """Return the rows of `kernels.task_motions` for the task on a model."""
        return tuple(motion.words(model, self.state_pair) for motion in self.motions())

    def update(self, model: RobotModel, state: TaskState) -> None:
        """Compute a state from a model; task updater thread.

        Raises:
            NotFiniteError: Jacobian, bias or velocity are no numbers.
        """
        state.revision = self.state_pair.revision
        epoch = self._epoch
        is_finite = self._update(model, state)
        if not self.writes_velocity:
            np.matmul(state.jacobian, model.v, out=state.velocity)
        if self.projection is not None:
            self.project(state.velocity)
        if not is_finite:
            self._check_finite(state)
        state.valid = epoch == self._epoch

    def _check_finite(self, state: TaskState) -> None:
        """Refuse a state that is not finite where it counts."""
        if are_finite(state.jacobian, len(state.bias), state.bias, state.velocity):
            return
        parts = {"Jacobian": state.jacobian, "bias": state.bias, "velocity": state.velocity}
        for what, values in parts.items():
            used = values
            if self.projection is not None:  # rows that are not selected may be anything
                used = values[np.abs(self.projection).sum(axis=0) > 0.0]
            if not is_finite(used):
                raise NotFiniteError(f"task {self.name!r}", what, used)

    def swap(self) -> None:
        """Exchange active and inactive state; servo thread, when the inactive one is complete."""
        self.state_pair.swap()

    def compute(self, period: float) -> None:
        """Compute error and command from the active state.

        What the servo runs is `kernels.task_commands`, which does the same for all tasks at once.

        Args:
            period: Time since the last computation [s].
        """
        state = self.active
        self.lead(period)
        error: Array = self.followed.error.value
        np.copyto(self.actual.value, state.actual)
        self._error(state, error)
        self.project(error)
        self.note_news()
        self.feed_forward_age.age += period
        is_old, has_expired = self.feed_forward_age.expired(self.goal_timeout.value)
        self.error_norm.value = self.controller.compute(
            error,
            state.velocity,
            self._nothing if is_old else self._value(self.followed.velocity),
            self._fed_forward(has_expired=has_expired),
            period,
            self.command.value,
        )
        self.measure_goal()

    def lead(self, period: float) -> None:
        """Move on what leads to the goal, if something does; servo thread, before the law.

        Args:
            period: Time since the last time [s].
        """
        if self.goal_reference is None:
            return
        if self.operational_state.value == ENABLE:
            self.goal_reference.step(self.active, period)
        else:
            self.goal_reference.rest(self.active)

    def measure_goal(self) -> None:
        """Write the error of the goal, if the law makes another less; servo thread, after it."""
        if not self.is_led:
            return
        error: Array = self.error.value
        self.write_way(self.actual.value, self.goal.value, error)
        self.project(error)
        self.error_norm.value = math.sqrt(error.dot(error))

    def write_way(self, start: Array, goal: Array, way: Array) -> None:
        """Write how far it is from a value to a goal, `(dimension,)`, as `error_kind` tells.

        Of kinds that are the task's own it is the difference.
        """
        self.error_kind.write_way(start, goal, way)

    def note_news(self) -> None:
        """Begin to count the age of a feed-forward again if it was set; servo thread."""
        self.feed_forward_age.note_news(self.goal_velocity, self.goal_acceleration)

    def restart(self) -> None:
        """Forget what was kept from before control began; servo thread."""
        self._forget()
        if self.goal_frame is not None and self.goal_frame.is_latched:
            self.invalidate()

    def _forget(self) -> None:
        self.controller.reset()
        if self.goal_reference is not None:
            self.goal_reference.restart()

    def invalidate(self) -> None:
        """Forget both states and the integral, so that nothing old acts after a pause."""
        self._epoch += 1
        self.continues = False
        self.state_pair.invalidate()
        self._clear_outputs()
        self._forget()

    def _clear_outputs(self) -> None:
        """Set the outputs to not a number: the task measures nothing."""
        self.error_norm.value = math.nan
        self.error.value.fill(math.nan)
        self.actual.value.fill(math.nan)

    def latch_goal(self) -> None:
        """Set the goal to the actual value of the active state, at rest."""
        self.goal.assign(self.active.actual)
        for feed_forward in (self.goal_velocity, self.goal_acceleration):
            if feed_forward is not None:
                feed_forward.assign(0.0)
        self._forget()

    def start_goal(self) -> None:
        """Stay where the robot is if no goal is stated, else choose whole turns by where it is.

        Called when the task begins to act, with a valid active state; servo thread.
        """
        if not self.goal.stated:
            self.latch_goal()
        elif self.goal.turning:
            self.goal.assign(self.goal.after(self.goal.value, self.active.actual))

    def drop_goal(self) -> bool:
        """Begin anew after a command that no robot can follow; servo thread.

        A goal, or what is fed forward with it, that no robot can reach is given up: the task stays
        where the robot is, as if nobody had stated a goal.

        Returns:
            Whether it was given up.
        """
        self.controller.reset()  # an integral that is not a number would stay so
        wanted = (self.goal, self.goal_velocity, self.goal_acceleration)
        is_absurd = not all(p is None or (np.abs(p.value) <= LARGEST_GOAL).all() for p in wanted)
        if not (is_absurd and is_finite(self.active.actual)):
            return False
        self.latch_goal()
        self.goal.stated = False
        return True

    def refer(self, dynamics: Dynamics, jacobian: Array, command: Array) -> None:
        """Write the task's rows anew, if it `is_referred`; servo thread, after the law.

        Called by controllers once the robot's dynamics under its constraints are known, maybe more
        than once a cycle: what it writes must not depend on what it wrote before.

        Args:
            dynamics: Of this cycle.
            jacobian: `(rows, nv)` result, where the rows stand in the stack.
            command: `(rows,)` result, accelerations [m/s², rad/s²].

        A task whose command alone is referred leaves the Jacobian as it is.
        """

    @abstractmethod
    def _update(self, model: RobotModel, state: TaskState) -> bool | None:
        """Write `state.actual`, `state.jacobian` and `state.bias`.

        Returns:
            True if they, and the velocity if it is written, are known to be finite. Whatever else:
            they are looked at.
        """

    def _fed_forward(self, *, has_expired: bool) -> Array:
        """Return what the law adds to the command as it is, `(dimension,)`."""
        return self._nothing if has_expired else self._value(self.followed.acceleration)

    def _value(self, feed_forward: Parameter | None) -> Array:
        return self._nothing if feed_forward is None else feed_forward.value

    def _error(self, state: TaskState, error: Array) -> None:
        """Write the error, `(dimension,)`, in the space of the Jacobian's rows."""
        self.write_way(state.actual, self.followed.goal.value, error)

    def complaint(self) -> str:
        """Tell what is wrong with the goal or with what becomes of it, if something is.

        Asked by the servo thread some times a second; the text is a warning with the task's name.
        """
        return "" if self.goal_reference is None else self.goal_reference.failure

    def compute_error(self) -> None:
        """Write the error of the active state; servo thread, for errors of kind `CUSTOM`."""
        self._error(self.active, self.error.value)

    def shapes(self) -> tuple[AnyShape, ...]:
        """Tell how goal and actual value look in space, for displays; once configured.

        A goal that is a point, a direction or a quaternion is drawn without further ado.
        """
        return shapes_by_names(self.parameters, self.goal, self.actual, self.goal_frame, self.robot)
