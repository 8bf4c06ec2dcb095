"""ControlLaw: from an error and its rate to a command."""

from abc import ABC, abstractmethod
from enum import Enum

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, ParameterReflection


class LawKind(Enum):
    """How the kernel computes a control law."""

    PID = "pid"
    SLIDING_MODE = "sliding mode"
    FORCE = "force"
    FORCE_FEEDBACK = "force feedback"
    """Like `FORCE`, but the goal is not fed forward."""
    CUSTOM = "custom"
    """In Python, by the law's own `compute`."""


class ControlLaw(ABC):
    """Base of the control laws; a task has one (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.control_laws`, and a task takes
    it by `control_law: <name>`. It declares its parameters on the task in `__init__` and implements
    `compute`, which runs in the servo thread and allocates nothing that lasts.

    Args:
        owner: The task; receives the parameters.
        dimension: Length of error and command.
        by_component: Limits hold entry by entry, as for joints, instead of for the length.
        labels: Names of the entries, so that gains can be given as a map.
        unit: Unit of the error, for the parameters' units.

    Attributes:
        integral: `(dimension,)` the integral part, where there is one.
        ramp: `(dimension,)` what else the law keeps between two cycles.
        gains: The vectors `(dimension,)` of gains; the kernels take three.
        max_velocity: Limit of the speed asked for, `(dimension,)` if `by_component`, if there is.
        max_integral: Limit of the integral part, if there is.
        max_speed: `(dimension,)` speeds at which a force has faded away, if it does.
    """

    kind = LawKind.CUSTOM
    is_first_order = False
    """Whether the command is the rate of what is controlled: a law of kind `PID` has the gains kp
    and ki then, and else kp, ki and kd."""
    gains: tuple[Parameter, ...] = ()
    max_velocity: Parameter | None = None
    max_integral: Parameter | None = None
    max_speed: Parameter | None = None

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = False,
        labels: tuple[str, ...] = (),
        unit: str = "m",
    ) -> None:
        self.owner = owner
        self.dimension = dimension
        self.by_component = by_component
        self.labels = labels
        self.unit = unit
        self.integral: Array = np.zeros(dimension)
        self.ramp: Array = np.zeros(dimension)
        self._zero: Array = np.zeros(dimension)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the law declared on the task."""
        found = [value for value in vars(self).values() if isinstance(value, Parameter)]
        return (*found, *self.gains)

    def configure(self) -> None:  # noqa: B027 - a law may have nothing to check
        """Check that the parameters fit together.

        Raises:
            ParameterError: They do not.
        """

    def reset(self) -> None:
        """Forget what was kept from earlier cycles."""
        self.integral.fill(0.0)
        self.ramp.fill(0.0)

    @abstractmethod
    def compute(
        self,
        error: Array,
        velocity: Array,
        goal_velocity: Array,
        goal_acceleration: Array,
        period: float,
        command: Array,
    ) -> float:
        """Write the command and return the length of the error.

        Args:
            error: `(dimension,)`.
            velocity: `(dimension,)`.
            goal_velocity: `(dimension,)` feed-forward.
            goal_acceleration: `(dimension,)` feed-forward; the goal, where a force is commanded.
            period: Time step [s].
            command: `(dimension,)` result.
        """

    def declare_gain(
        self, name: str, unit: str, description: str, **properties: object
    ) -> Parameter:
        """Declare a vector with an entry for each of the error, at least zero, on the task."""
        settings: dict[str, object] = {"lower": 0.0, **properties}
        return self.owner.declare(
            name,
            settings.pop("default", 0.0),
            shape=(self.dimension,),
            broadcast=True,
            labels=self.labels,
            unit=unit,
            description=description,
            **settings,
        )
