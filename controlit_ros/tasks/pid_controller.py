"""PIDController: the control law all tasks share."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels import pid
from controlit_ros.parameters import ParameterError, ParameterReflection

Array = npt.NDArray[np.float64]


class PIDController:
    """Proportional, integral, derivative law with velocity saturation (paper section 4.2).

        command = kp e + ki ∫e dt + kd (v_goal − v) + a_goal

    With `max_velocity` > 0 the speed the proportional part asks for, `kp/kd e`, is limited: to that
    length for a vector in space (keeping its direction), entry by entry for joints. The integral
    rests while the law is saturated, never contributes more than `max_integral`, and is forgotten
    where `ki` is zero.

    Args:
        owner: Receives the parameters `kp ki kd max_velocity max_integral`.
        dimension: Length of error and command.
        by_component: Saturate entry by entry instead of by length.
        labels: Names of the entries, so that gains can be given as a map.
        unit: Unit of the error, for the parameters' units.

    Attributes:
        integral: `(dimension,)` the integral part.
    """

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = False,
        labels: tuple[str, ...] = (),
        unit: str = "m",
    ) -> None:
        self._owner = owner
        self.by_component = by_component
        vector = {"shape": (dimension,), "broadcast": True, "lower": 0.0, "labels": labels}
        self.kp = owner.declare("kp", 0.0, unit="1/s²", description="proportional gain", **vector)
        self.ki = owner.declare("ki", 0.0, unit="1/s³", description="integral gain", **vector)
        self.kd = owner.declare("kd", 0.0, unit="1/s", description="derivative gain", **vector)
        self.max_velocity = owner.declare(
            "max_velocity",
            0.0,
            lower=0.0,
            unit=f"{unit}/s",
            description="limit of the speed the proportional part asks for; 0: none",
            **(
                {"shape": (dimension,), "broadcast": True, "labels": labels} if by_component else {}
            ),
        )
        self.max_integral = owner.declare(
            "max_integral",
            1.0,
            lower=0.0,
            unit=f"{unit}/s²",
            description="limit of the integral part, entry by entry",
        )
        self.integral: Array = np.zeros(dimension)
        self._zero: Array = np.zeros(dimension)

    def configure(self) -> None:
        """Check that the gains fit together.

        Raises:
            ParameterError: `max_velocity` is given without damping to define a speed.
        """
        limited = np.broadcast_to(np.asarray(self.max_velocity.value), self.kd.value.shape) > 0.0
        if bool((limited & (self.kd.value <= 0.0) & (self.kp.value > 0.0)).any()):
            raise ParameterError(
                f"{self._owner.name}.max_velocity: found {self.max_velocity.snapshot()} with "
                f"kd {self.kd.snapshot()}, expected kd > 0 (the limit acts on kp/kd * error)"
            )

    def reset(self) -> None:
        """Forget the integral."""
        self.integral.fill(0.0)

    def compute(
        self,
        error: Array,
        velocity: Array,
        goal_velocity: Array | None,
        goal_acceleration: Array | None,
        period: float,
        command: Array,
    ) -> float:
        """Write the command and return the length of the error.

        Args:
            error: `(dimension,)`.
            velocity: `(dimension,)`.
            goal_velocity: `(dimension,)` or none.
            goal_acceleration: `(dimension,)` or none.
            period: Time step [s].
            command: `(dimension,)` result.
        """
        limit = self.max_velocity.value
        length: float = pid(
            error,
            velocity,
            self._zero if goal_velocity is None else goal_velocity,
            self._zero if goal_acceleration is None else goal_acceleration,
            self.kp.value,
            self.ki.value,
            self.kd.value,
            0.0 if self.by_component else limit,
            limit if self.by_component else self._zero,
            self.max_integral.value,
            period,
            self.integral,
            command,
        )
        return length
