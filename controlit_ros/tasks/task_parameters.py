"""TaskParameters: what a user can say of a task."""

import math
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.world import WORLD
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
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.control_law import ControlLaw
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.goal_reference import Followed, GoalReference

DEFAULT_LAW = "PID"
GOAL_TIMEOUT = 0.5  # [s] several periods of the slowest sensible stream, 10 Hz

ENABLE = "enable"
DISABLE = "disable"
SENSE = "sense"
HIGHEST_PRIORITY = 1000

LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6  # [-] beyond, one row would drown the other in rounding


class TaskParameters(ParameterReflection):
    """The parameters of a task, its control law, and which part of its error it acts on.

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
        followed: What the law follows: the goal, or what leads to it; once configured.
    """

    command_kind = CommandKind.ACCELERATION
    error_kind = ErrorKind.DIFFERENCE
    goal: Parameter
    actual: Parameter
    goal_velocity: Parameter | None = None
    goal_acceleration: Parameter | None = None
    controller: ControlLaw
    goal_frame: GoalFrame | None = None
    goal_reference: GoalReference | None = None
    followed: Followed
    acts: Parameter | None = None
    hysteresis: Parameter | None = None
    has_control_law = True
    """Whether a user may choose the control law."""
    latches = True
    """Whether the goal can be taken over from where the robot is."""

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
        self._declare_part_in_stack()
        self._declare_outcome()
        self._declare_use_of_goal()
        self._declare_control(tuple(axes))
        self._law_name = DEFAULT_LAW

    def _declare_part_in_stack(self) -> None:
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

    def _declare_outcome(self) -> None:
        self.error = self.declare(
            "error", 0.0, shape=(self.dimension,), broadcast=True, access=Access.OUTPUT
        )
        self.error_norm = self.declare_in_memory("error_norm", 0.0, access=Access.OUTPUT)
        self.command = self.declare(
            "command", 0.0, shape=(self.dimension,), broadcast=True, access=Access.OUTPUT
        )
        # not a number: no comparison in an event holds before the error is known
        self.error_norm.value = math.nan

    def _declare_use_of_goal(self) -> None:
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

    def _declare_control(self, components: tuple[str, ...]) -> None:
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
            shape=(self.dimension,),
            broadcast=True,
            labels=components,
            lower=LEAST_WEIGHT,
            upper=MOST_WEIGHT,
            description="how much each component of the error counts beside the others of its "
            "level where not all of them can be had",
        )
        if self.command_kind is CommandKind.INTERNAL_FORCE:  # in no level
            self.retract(self.weight)

    def configure(self) -> None:
        """Resolve names and what is left out; called once, after the parameters are set.

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

    @property
    def is_disabled(self) -> bool:
        """Whether the task neither commands nor senses."""
        return bool(self.operational_state.value == DISABLE)

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

    def project(self, vector: Array) -> bool:
        """Take out of a `(dimension,)` vector what the task does not act on, in place.

        Returns:
            Whether there is such a thing.
        """
        if self.projection is None:
            return False
        vector[:] = self.projection.T @ (self.projection @ vector)
        return True

    def select(self, values: Array, rows: Array) -> None:
        """Write what of `(dimension, …)` values belongs to the task's rows, `(rows, …)`."""
        if self.projection is None:
            np.copyto(rows, values)
        else:
            np.matmul(self.projection, values, out=rows)

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
