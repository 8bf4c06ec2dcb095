"""MomentumController: the control law of tasks that command the rate of a momentum."""

from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.tasks.pid_law import PIDLaw


class MomentumController(PIDLaw):
    """Proportional and integral law of an error whose rate is commanded.

        command = kp e + ki ∫e dt + a_goal

    It is `PIDController` without what is of second order: a momentum knows its own rate from
    nothing that is measured, so there is no damping and no limit of speed.
    """

    is_first_order = True
    max_integral: Parameter

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = False,
        labels: tuple[str, ...] = (),
        unit: str = "m/s",
    ) -> None:
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.kp = self.declare_gain("kp", "1/s", "proportional gain")
        self.ki = self.declare_gain("ki", "1/s²", "integral gain")
        self.gains = (self.kp, self.ki)
        self.max_integral = owner.declare(
            "max_integral",
            1.0,
            lower=0.0,
            unit=f"{unit}/s",
            description="limit of the integral part, entry by entry",
        )
