"""Task: one objective of the controller."""

import math
from abc import ABC, abstractmethod
from enum import Enum

import numpy as np
import numpy.typing as npt

from controlit_ros.model.robot_description import ModelError, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import (
    Access,
    Kind,
    Parameter,
    ParameterError,
    ParameterReflection,
    Quantity,
    Reader,
)
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task_state import TaskState

Array = npt.NDArray[np.float64]

ENABLE = "enable"
DISABLE = "disable"
SENSE = "sense"


class CommandKind(Enum):
    """What a task's command means."""

    ACCELERATION = "acceleration"
    FORCE = "force"


class ErrorKind(Enum):
    """How the kernel computes a task's error."""

    DIFFERENCE = "difference"
    """Goal minus actual."""
    ROTATION = "rotation"
    """Rotation vector between two quaternions xyzw."""
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

    Attributes:
        goal: The parameter holding the goal.
        actual: The output parameter of the same shape holding the present value.
        active: State the servo reads.
        inactive: State the task updater writes.
    """

    command_kind = CommandKind.ACCELERATION
    error_kind = ErrorKind.DIFFERENCE
    writes_velocity = False
    """Whether `_update` also writes `state.velocity`, which is `J v` in any case."""

    goal: Parameter
    actual: Parameter
    goal_velocity: Parameter | None = None
    goal_acceleration: Parameter | None = None
    controller: PIDController

    def __init_subclass__(cls, **keywords: object) -> None:
        """Let a task with an error of its own be computed by it, unless it names a kind.

        A task with an update of its own need not know about velocities, whatever it inherits.
        """
        super().__init_subclass__(**keywords)
        if "_error" in cls.__dict__ and "error_kind" not in cls.__dict__:
            cls.error_kind = ErrorKind.CUSTOM
        if "_update" in cls.__dict__ and "writes_velocity" not in cls.__dict__:
            cls.writes_velocity = False

    def __init__(self, name: str, robot: RobotDescription, dimension: int) -> None:
        super().__init__(name)
        self.robot = robot
        self.dimension = dimension
        self.priority = self.declare(
            "priority",
            0,
            kind=Kind.INTEGER,
            description="level in the compound task; higher wins",
        )
        self.operational_state = self.declare(
            "operational_state",
            ENABLE,
            kind=Kind.TEXT,
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
        # not a number: no comparison in an event holds before the error is known
        self.error_norm.value = math.nan
        self.active: TaskState
        self.inactive: TaskState

    def configure(self) -> None:
        """Resolve names and allocate; called once, after the parameters are set.

        Raises:
            ControlItError: A parameter does not fit the robot.
        """
        self.controller.configure()
        nv, shape = self.robot.nv, self.actual.value.shape
        self.active = TaskState.allocate(self.dimension, nv, shape)
        self.inactive = TaskState.allocate(self.dimension, nv, shape)
        self._which = np.zeros(1, dtype=np.int64)

    @property
    def is_disabled(self) -> bool:
        """Whether the task neither commands nor senses."""
        return bool(self.operational_state.value == DISABLE)

    def update(self, model: RobotModel, state: TaskState) -> None:
        """Compute a state from a model; task updater thread."""
        self._update(model, state)
        if not self.writes_velocity:
            np.matmul(state.jacobian, model.v, out=state.velocity)
        state.valid = True

    def swap(self) -> None:
        """Exchange active and inactive state; servo thread, when the inactive one is complete."""
        if not self.active.valid:
            Parameter.changes += 1  # the compound task takes the task in
        self.active, self.inactive = self.inactive, self.active
        self._which[0] ^= 1

    def adopt_states(
        self, active: TaskState, inactive: TaskState, which: npt.NDArray[np.int64]
    ) -> None:
        """Move both states into other memory; before the servo runs.

        Args:
            active: Memory of the active state.
            inactive: Memory of the inactive state.
            which: `(1,)` kept at 0 while `active` is the active one, else at 1.
        """
        active.copy_from(self.active)
        inactive.copy_from(self.inactive)
        self.active, self.inactive, self._which = active, inactive, which
        which[0] = 0

    def compute(self, period: float) -> None:
        """Compute error and command from the active state.

        What the servo runs is `kernels.task_commands`, which does the same for all tasks at once.

        Args:
            period: Time since the last computation [s].
        """
        state = self.active
        error: Array = self.error.value
        np.copyto(self.actual.value, state.actual)
        self._error(state, error)
        self.error_norm.value = self.controller.compute(
            error,
            state.velocity,
            None if self.goal_velocity is None else self.goal_velocity.value,
            None if self.goal_acceleration is None else self.goal_acceleration.value,
            period,
            self.command.value,
        )

    def invalidate(self) -> None:
        """Forget both states and the integral, so that nothing old acts after a pause."""
        if self.active.valid:
            Parameter.changes += 1  # the compound task leaves the task out
        self.active.valid = False
        self.inactive.valid = False
        self.error_norm.value = math.nan
        self.controller.reset()

    def latch_goal(self) -> None:
        """Set the goal to the actual value of the active state, at rest."""
        self.goal.assign(self.active.actual)
        for feed_forward in (self.goal_velocity, self.goal_acceleration):
            if feed_forward is not None:
                feed_forward.assign(0.0)
        self.controller.reset()

    @abstractmethod
    def _update(self, model: RobotModel, state: TaskState) -> None:
        """Write `state.actual`, `state.jacobian` and `state.bias`."""

    def _error(self, state: TaskState, error: Array) -> None:
        """Write the error, `(dimension,)`, in the space of the Jacobian's rows."""
        np.subtract(self.goal.value, state.actual, out=error)

    def compute_error(self) -> None:
        """Write the error of the active state; servo thread, for errors of kind `CUSTOM`."""
        self._error(self.active, self.error.value)

    def declare_body(self) -> Parameter:
        """Declare the parameter that names the controlled body."""
        return self.declare(
            "body",
            self.robot.root_link,
            kind=Kind.TEXT,
            access=Access.CONFIGURATION,
            description="link, or joint whose child body is meant, in the joint's frame",
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
        try:
            return self.robot.frame_id(body.value)
        except ModelError as error:
            raise ParameterError(f"{body.full_name}: {error}") from None
