"""Task: one objective of the controller."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.kernels import are_finite
from controlit_ros.model.quaternion import rotation_vector
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.world import WORLD
from controlit_ros.own_methods import has_own, presume
from controlit_ros.parameters import (
    Access,
    Kind,
    Parameter,
    ParameterError,
    ParameterReflection,
    Quantity,
    Reader,
    blaming,
)
from controlit_ros.tasks.axes import Axes
from controlit_ros.tasks.control_law import ControlLaw
from controlit_ros.tasks.dynamics import Dynamics
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.goal_reference import Followed, GoalReference
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.shape import AnyShape, shapes_by_names
from controlit_ros.tasks.task_state import TaskState

DEFAULT_LAW = "PID"
LARGEST_GOAL = 1e6  # [m, rad, and their rates, N or N m] far beyond any robot's
GOAL_TIMEOUT = 0.5  # [s] several periods of the slowest sensible stream, 10 Hz

ENABLE = "enable"
DISABLE = "disable"
SENSE = "sense"
HIGHEST_PRIORITY = 1000

_UPDATES = ("_update", "update")  # who has one of his own is asked for it

LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6  # [-] beyond, one row would drown the other in rounding


class CommandKind(Enum):
    """What a task's command means."""

    ACCELERATION = "acceleration"
    FORCE = "force"
    EFFORT = "effort"
    """Of joints; what the rows are is known when the controller computes (`Task.refer`)."""
    PUSH = "push"
    """A wrench that moves a body as if it were pushed by it (`Task.refer`)."""
    INTERNAL_FORCE = "internal force"
    """A force between contacts, which moves nothing: `τ_internal = (J Uᵀ)ᵀ command`."""


class ErrorKind(Enum):
    """How the kernel computes a task's error."""

    DIFFERENCE = "difference"
    """Goal minus actual."""
    ROTATION = "rotation"
    """Rotation vector between two quaternions xyzw."""
    POSE = "pose"
    """Difference of positions, then rotation vector between the quaternions after them."""
    CUSTOM = "custom"
    """In Python, by the task's own `_error`."""


class Task(ParameterReflection, ABC):
    """A goal, an error, a control law and a Jacobian (paper section 4.1).

    Two halves run in two threads. `update` (task updater) computes from a model what does not
    depend on goals: actual value, Jacobian, velocity, bias. `compute` (servo) compares the active
    state with the goals and applies the control law. A concrete task declares its parameters in
    `__init__`, gives `dimension`, and implements `_update`; it may override `configure` to resolve
    names and `_error` where the error is more than goal minus actual.

    Args:
        name: Unique name.
        robot: The robot's structure.
        dimension: Rows of Jacobian, error and command.
        axes: Names of the components of the error, if a user may select some of them.
        default_axes: Those selected unless the user says otherwise; none: all.

    Attributes:
        projection: `(rows, dimension)` orthonormal directions the task acts on, if not all.
        goal: The parameter holding the goal.
        actual: The output parameter of the same shape holding the present value.
        followed: What the law follows: the goal, or what leads to it.
        which_at: Address of the word that tells which of both states is active.
        continues: Whether it goes on with the goal of another task when it begins to act.
    """

    command_kind = CommandKind.ACCELERATION
    error_kind = ErrorKind.DIFFERENCE
    writes_velocity = False
    """Whether `_update` also writes `state.velocity`, which is `J v` in any case."""

    goal: Parameter
    actual: Parameter
    goal_velocity: Parameter | None = None
    goal_acceleration: Parameter | None = None
    controller: ControlLaw
    goal_frame: GoalFrame | None = None
    goal_reference: GoalReference | None = None
    is_unilateral = False
    """Whether a row acts only where the other tasks would fall below its command."""
    acts: Parameter | None = None
    hysteresis: Parameter | None = None
    needs_reactions = False
    """Whether the task reads `RobotState.contact_wrench`."""

    is_referred = False
    """Whether the task's rows depend on what the controller knows; see `refer`."""

    has_control_law = True
    """Whether a user may choose the control law."""
    latches = True
    """Whether the goal can be taken over from where the robot is."""

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
        super().__init__(name)
        self.robot = robot
        self.dimension = dimension
        self.projection: Array | None = None
        self._axes = Axes(self, axes, default_axes) if axes else None
        self._body: Parameter | None = None
        self._frame = 0
        self._epoch = 0
        self.continues = False
        self._age: Array = np.zeros(2)
        self._nothing: Array = np.zeros(dimension)
        self._seen_revisions = [-1, -1]
        self.priority = self.declare(
            "priority",
            0,
            kind=Kind.INTEGER,
            lower=0,
            upper=HIGHEST_PRIORITY,
            description="level in the compound task; higher wins",
        )
        self.operational_state = self.declare(
            "operational_state",
            ENABLE,
            choices=(ENABLE, DISABLE, SENSE),
            reader=Reader.TASK_UPDATER,
            description="sense: error is computed, nothing is commanded",
        )
        self.error = self.declare(
            "error", 0.0, shape=(dimension,), broadcast=True, access=Access.OUTPUT
        )
        self.error_norm = self.declare("error_norm", 0.0, access=Access.OUTPUT)
        self.command = self.declare(
            "command", 0.0, shape=(dimension,), broadcast=True, access=Access.OUTPUT
        )
        self.tare = self.declare(
            "tare",
            False,
            description="set it, and the goal becomes the present value, at rest",
        )
        if not self.latches:
            self.retract(self.tare)
        self.goal_timeout = self.declare(
            "goal_timeout",
            GOAL_TIMEOUT,
            lower=0.0,
            unit="s",
            description="time without news after which goal_velocity counts as zero, and so does "
            "goal_acceleration, each by itself; 0: never",
        )
        if self.has_control_law:
            self.control_law = self.declare(
                "control_law",
                DEFAULT_LAW,
                access=Access.CONFIGURATION,
                description="law that leads from error to command",
            )
        self.weight = self.declare(
            "weight",
            1.0,
            shape=(dimension,),
            broadcast=True,
            labels=tuple(axes),
            lower=LEAST_WEIGHT,
            upper=MOST_WEIGHT,
            description="how much each component of the error counts beside the others of its "
            "level where not all of them can be had",
        )
        if self.command_kind is CommandKind.INTERNAL_FORCE:  # in no level
            self.retract(self.weight)
        self._law_name = DEFAULT_LAW
        # not a number: no comparison in an event holds before the error is known
        self.error_norm.value = math.nan
        self.followed: Followed
        self._states: tuple[TaskState, TaskState]
        self._which: memoryview
        self.which_at: int

    def configure(self) -> None:
        """Resolve names and allocate; called once, after the parameters are set.

        Raises:
            ControlItError: A parameter does not fit the robot.
        """
        if self.has_control_law and self.control_law.value != self._law_name:
            raise ParameterError(
                f"{self.control_law.full_name}: found {self.control_law.value!r}, but the task was "
                f"built with {self._law_name!r}; see Task.use_law"
            )
        self.controller.configure()
        self._choose_followed()
        self._retract_idle()
        if self._axes is not None:
            self.projection = self._axes.resolve()
        if self.goal_frame is not None:
            self.goal_frame.configure(self.resolve_frame)
        if self._body is not None:
            self._frame = self.resolve_frame(self._body)
        nv, shape = self.robot.nv, self.actual.value.shape
        self._states = (
            TaskState.allocate(self.dimension, nv, shape),
            TaskState.allocate(self.dimension, nv, shape),
        )
        self._follow_word(np.zeros(1, dtype=np.int64))
        self._changes_seen = -1
        self._revision = 0
        self._updater_parameters = tuple(
            parameter
            for parameter in self.parameters.values()
            if parameter.reader is Reader.TASK_UPDATER and parameter is not self.operational_state
        )

    def _choose_followed(self) -> None:
        """Follow the goal and what is fed forward, or what leads to the goal."""
        if self.goal_reference is not None and not self.goal_reference.configure():
            self.goal_reference = None
        reference = self.goal_reference
        if reference is None:
            self.followed = Followed(
                self.goal, self.goal_velocity, self.goal_acceleration, self.error
            )
            return
        self.followed = reference.followed
        for parameter in (self.goal_velocity, self.goal_acceleration, self.goal_timeout):
            assert parameter is not None
            if parameter.stated:
                raise ParameterError(
                    f"{parameter.full_name}: found beside {reference.kind.full_name}, which tells "
                    "how the goal moves; expected one of them"
                )
            self.retract(parameter)
        self.goal_velocity = self.goal_acceleration = None
        self.goal_timeout.assign(0.0)

    @property
    def is_led(self) -> bool:
        """Whether something leads to the goal, so that the law does not follow it itself."""
        return self.goal_reference is not None

    def _retract_idle(self) -> None:
        """Take back what nothing depends on, so that nobody tries it in vain."""
        idle = []
        timeout, frame = self.goal_timeout, self.goal_frame
        if self.goal_velocity is None and self.goal_acceleration is None:
            if timeout.stated:
                raise ParameterError(
                    f"{timeout.full_name}: found {timeout.value:g}, but nothing is fed forward "
                    "that could become too old; expected no such parameter"
                )
            idle.append(timeout)
        if frame is not None and frame.frame.value == WORLD and not frame.mode.stated:
            idle.append(frame.mode)
        for parameter in idle:
            if parameter.name in self.parameters:
                self.retract(parameter)

    def use_law(self, name: str, law: type[ControlLaw]) -> None:
        """Exchange the control law, before the parameters are set.

        Args:
            name: What `control_law` calls it.
            law: Its class.

        Raises:
            ParameterError: The task has no control law to choose.
        """
        if not self.has_control_law:
            raise ParameterError(
                f"{self.name}.control_law: a {type(self).__name__} has its own law"
            )
        old = self.controller
        for parameter in list(self.parameters.values()):
            if parameter in old.parameters:
                self.retract(parameter)
        self.controller = law(
            self,
            old.dimension,
            by_component=old.by_component,
            labels=old.labels,
            unit=old.unit,
        )
        self.control_law.assign(name)
        self._law_name = name

    @property
    def rows(self) -> int:
        """Rows in the stack: the dimension, or fewer where axes are selected."""
        return self.dimension if self.projection is None else len(self.projection)

    def write_row_weights(self, weights: Array) -> None:
        """Write how much each of the task's rows counts in its level, `(rows,)`.

        A row that is a mixture of components weighs the mean of theirs, by the squares of its
        parts.
        """
        if self.projection is None:
            np.copyto(weights, self.weight.value)
        else:  # exactly 1 where all weigh 1
            np.matmul(np.square(self.projection), self.weight.value - 1.0, out=weights)
            weights += 1.0

    @property
    def component_names(self) -> tuple[str, ...]:
        """Names of the components of the error, `(dimension,)`; numbers where they have none."""
        if self._axes is not None:
            return self._axes.names
        return tuple(str(i) for i in range(self.dimension))

    @property
    def epoch(self) -> int:
        """Changes each time the task begins to act."""
        return self._epoch

    @property
    def active(self) -> TaskState:
        """State the servo reads."""
        return self._states[self._which[0]]

    @property
    def inactive(self) -> TaskState:
        """State the task updater writes."""
        return self._states[1 - self._which[0]]

    def motions(self) -> tuple[MotionSource, ...]:
        """Return all that `_update` does, if `kernels.task_motions` can do it; once configured."""
        return ()

    def is_steady(self) -> bool:
        """Tell whether an update would change nothing of the states but their numbers."""
        active, inactive = self._states
        revision = self._count_changes()
        return (
            active.valid
            and inactive.valid
            and active.revision == inactive.revision == revision
            and self.projection is None
            and not self.is_disabled
            and not has_own(self, _UPDATES)
        )

    def motion_words(self, model: RobotModel) -> tuple[Indices, ...]:
        """Return the rows of `kernels.task_motions` for the task on a model."""
        return tuple(motion.words(model, self._states, self.which_at) for motion in self.motions())

    @property
    def is_disabled(self) -> bool:
        """Whether the task neither commands nor senses."""
        return bool(self.operational_state.value == DISABLE)

    def update(self, model: RobotModel, state: TaskState) -> None:
        """Compute a state from a model; task updater thread.

        Raises:
            NotFiniteError: Jacobian, bias or velocity are no numbers.
        """
        state.revision = self._count_changes()
        epoch = self._epoch
        is_finite = self._update(model, state)
        if not self.writes_velocity:
            np.matmul(state.jacobian, model.v, out=state.velocity)
        if self.projection is not None:
            self.project(state.velocity)
        if not is_finite:
            self._check_finite(state)
        state.valid = epoch == self._epoch

    def _count_changes(self) -> int:
        """Return how often what the task updater reads has changed."""
        changes = Parameter.changes
        if self._changes_seen != changes:
            self._changes_seen = changes
            self._revision = sum(parameter.revision for parameter in self._updater_parameters)
        return self._revision

    def project(self, vector: Array) -> bool:
        """Take out of a `(dimension,)` vector what the task does not act on, in place.

        Returns:
            Whether there is such a thing.
        """
        if self.projection is None:
            return False
        vector[:] = self.projection.T @ (self.projection @ vector)
        return True

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
        former = self.active
        self._which[0] ^= 1
        if not former.valid or former.revision != self.active.revision:
            Parameter.changes += 1  # the compound task takes the task in, the command is ramped

    def adopt_states(
        self, active: TaskState, inactive: TaskState, which: Indices, age: Array
    ) -> None:
        """Move both states and the feed-forwards' ages into other memory; before the servo runs.

        Args:
            active: Memory of the active state.
            inactive: Memory of the inactive state.
            which: `(1,)` kept at 0 while `active` is the active one, else at 1.
            age: `(2,)` time since there was news of velocity and acceleration [s].
        """
        active.copy_from(self.active)
        inactive.copy_from(self.inactive)
        self._states, self._age = (active, inactive), age
        self._follow_word(which)

    def _follow_word(self, which: Indices) -> None:
        """Let a word, `(1,)`, tell which state is active; the first is."""
        self._which = which.data  # quicker than the array, which it keeps alive
        self.which_at = which.ctypes.data
        self._which[0] = 0

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
        self._age += period
        timeout = self.goal_timeout.value
        has_expired = (timeout > 0.0) & (self._age > timeout)
        self.error_norm.value = self.controller.compute(
            error,
            state.velocity,
            self._nothing if has_expired[0] else self._value(self.followed.velocity),
            self._fed_forward(has_expired=bool(has_expired[1])),
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
        if self.error_kind is ErrorKind.ROTATION:
            rotation_vector(start, goal, out=way)
        elif self.error_kind is ErrorKind.POSE:
            np.subtract(goal[:3], start[:3], out=way[:3])
            rotation_vector(start[3:], goal[3:], out=way[3:])
        else:
            np.subtract(goal, start, out=way)

    def note_news(self) -> None:
        """Begin to count the age of a feed-forward again if it was set; servo thread."""
        for i, feed_forward in enumerate((self.goal_velocity, self.goal_acceleration)):
            if feed_forward is not None and feed_forward.revision != self._seen_revisions[i]:
                self._seen_revisions[i] = feed_forward.revision
                self._age[i] = 0.0

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
        if self.active.valid:
            Parameter.changes += 1  # the compound task leaves the task out
        self._epoch += 1
        self.continues = False
        self.active.valid = False
        self.inactive.valid = False
        self.error_norm.value = math.nan
        self._forget()

    def latch_goal(self) -> None:
        """Set the goal to the actual value of the active state, at rest."""
        self.goal.assign(self.active.actual)
        for feed_forward in (self.goal_velocity, self.goal_acceleration):
            if feed_forward is not None:
                feed_forward.assign(0.0)
        self._forget()

    def drop_goal(self) -> bool:
        """Begin anew after a command that no robot can follow; servo thread.

        A goal, or what is fed forward with it, that no robot can reach is given up: the task stays
        where the robot is, as if nobody had stated a goal.

        Returns:
            Whether it was given up.
        """
        self.controller.reset()  # an integral that is not a number would stay so
        wanted = (self.goal, self.goal_velocity, self.goal_acceleration)
        is_absurd = any(p is not None and np.abs(p.value).max() > LARGEST_GOAL for p in wanted)
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

    def select(self, values: Array, rows: Array) -> None:
        """Write what of `(dimension, …)` values belongs to the task's rows, `(rows, …)`."""
        if self.projection is None:
            np.copyto(rows, values)
        else:
            np.matmul(self.projection, values, out=rows)

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

    def declare_body(self) -> Parameter:
        """Declare the parameter that names the controlled body, whose frame is `_frame`."""
        self._body = self.declare(
            "body",
            self.robot.root_link,
            access=Access.CONFIGURATION,
            description="link, or joint whose child body is meant, in the joint's frame",
        )
        return self._body

    def declare_point(self, description: str) -> Parameter:
        """Declare the point of the body that counts, in its frame."""
        return self.declare_vector(
            "control_point",
            (0.0, 0.0, 0.0),
            unit="m",
            quantity=Quantity.POINT,
            reader=Reader.TASK_UPDATER,
            description=description,
        )

    def declare_feed_forward(
        self,
        unit: str,
        velocity: str = "feed-forward velocity",
        acceleration: str = "feed-forward acceleration",
        **vector: object,
    ) -> None:
        """Declare what moves with the goal, at rest until told.

        Args:
            unit: Of the goal.
            velocity: What the goal's rate is.
            acceleration: What the rate of that is.
            vector: Properties of both; a 3-vector if not given.

        What leads to the goal (`GoalReference`) is declared with it, where the error is no kind of
        the task's own; the goal has been declared before.
        """
        rest = (0.0,) * self.dimension
        declare = self.declare if vector else self.declare_vector
        self.goal_velocity, self.goal_acceleration = (
            declare(name, rest, unit=f"{unit}/{time}", description=description, **vector)
            for name, time, description in (
                ("goal_velocity", "s", velocity),
                ("goal_acceleration", "s²", acceleration),
            )
        )
        if self.error_kind is not ErrorKind.CUSTOM:
            like = vector or {"shape": (3,), "quantity": Quantity.VECTOR}
            self.goal_reference = GoalReference(
                self, self.goal, self.project, self.dimension, unit, like
            )

    def declare_vector(self, name: str, default: object, **properties: object) -> Parameter:
        """Declare a parameter holding a 3-vector."""
        properties.setdefault("quantity", Quantity.VECTOR)
        return self.declare(name, default, shape=(3,), **properties)

    def resolve_frame(self, body: Parameter) -> int:
        """Return the frame a body parameter names.

        Raises:
            ParameterError: There is no such body; the text lists the nearest.
        """
        with blaming(body):
            return self.robot.frame_id(body.value)
