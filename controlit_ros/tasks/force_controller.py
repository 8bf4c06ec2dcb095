"""ForceController: the control law of tasks that command a force."""

from collections.abc import Sequence

from controlit_ros.arrays import Array
from controlit_ros.kernels import force_law
from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.tasks.control_law import ControlLaw, LawKind


class ForceController(ControlLaw):
    """Feed-forward of the goal, proportional and integral feedback of the measured force.

        command = s (f + kp e + ki ∫e dt) − kd v,    f → goal at no more than max_rate
        s = 2 − 2 v/max_speed within [0, 1],    v along the force

    `e` is goal minus measured force; where nothing is measured it is not a number and the law is
    open-loop. A body that moves along the force is not held by what it shall push on: from half of
    `max_speed` on the force fades, and is gone at that speed; meanwhile nothing is integrated. `kd`
    damps a body that is free to move. `f` starts at zero whenever the task begins
    to act, so that with `max_rate` nothing steps. The integral contributes at most `max_integral`.
    With `LawKind.FORCE_FEEDBACK` nothing is fed forward: for goals that are no forces.

    Args:
        max_speed: Default of the parameter of that name, `(dimension,)`; none: there is no such
            parameter, and no force fades.
    """

    max_velocity: Parameter
    max_integral: Parameter

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = True,
        labels: tuple[str, ...] = (),
        unit: str = "N",
        law: LawKind = LawKind.FORCE,
        max_speed: Sequence[float] = (),
    ) -> None:
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.kind = law
        self.kp = self.declare_gain("kp", "-", "proportional gain on the measured force")
        self.ki = self.declare_gain("ki", "1/s", "integral gain on the measured force")
        self.kd = self.declare_gain("kd", f"{unit} s/m", "damping of the motion")
        self.gains = (self.kp, self.ki, self.kd)
        self.max_rate = self.declare_gain(
            "max_rate", f"{unit}/s", "fastest change of the force fed forward; 0: none"
        )
        if max_speed:
            self.max_speed = self.declare_gain(
                "max_speed",
                "m/s, rad/s",
                "speed along the force at which it has faded away, since nothing stops the body; "
                "it fades from half of that on; 0: never",
                default=tuple(max_speed),
            )
        self.max_velocity = self.max_rate  # where the kernels look for a limit of speed
        self.max_integral = owner.declare(
            "max_integral",
            100.0,
            lower=0.0,
            unit=unit,
            description="limit of the integral part, entry by entry",
        )

    def compute(
        self,
        error: Array,
        velocity: Array,
        goal_velocity: Array,  # noqa: ARG002 - a force has no velocity
        goal_acceleration: Array,
        period: float,
        command: Array,
    ) -> float:
        """Write the command and return the length of the error; see `ControlLaw.compute`."""
        length: float = force_law(
            error,
            velocity,
            goal_acceleration,
            self.kp.value,
            self.ki.value,
            self.kd.value,
            self.max_rate.value,
            self._zero if self.max_speed is None else self.max_speed.value,
            self.max_integral.value,
            period,
            self.ramp,
            self.integral,
            command,
        )
        return length
