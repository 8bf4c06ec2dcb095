"""SlidingMode: a law that holds against disturbances of bounded size."""

from controlit_ros.arrays import Array
from controlit_ros.kernels import sliding_mode
from controlit_ros.parameters import ParameterReflection
from controlit_ros.tasks.control_law import ControlLaw, LawKind

THINNEST = 1e-6  # [unit/s] a thinner boundary layer would be a relay


class SlidingMode(ControlLaw):
    """Sliding mode with a boundary layer, robust to disturbances below `reach`.

    Slotine and Li, "Applied nonlinear control" (1991), section 7.2: with the distance from the
    sliding surface `s = (v_goal − v) + slope e`,

        command = a_goal + slope (v_goal − v) + reach sat(s / boundary_layer)

    A disturbance d of the acceleration, `|d| ≤ reach`, leaves at most the error
    `boundary_layer |d| / (reach slope)`, approached with the time constant `1 / slope`.
    """

    kind = LawKind.SLIDING_MODE

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = False,
        labels: tuple[str, ...] = (),
        unit: str = "m",
    ) -> None:
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.slope = self.declare_gain("slope", "1/s", "rate at which an error is taken back")
        self.reach = self.declare_gain(
            "reach", f"{unit}/s²", "acceleration towards the sliding surface"
        )
        self.boundary_layer = self.declare_gain(
            "boundary_layer",
            f"{unit}/s",
            "distance from the sliding surface at which the full reach acts",
            default=0.1,
            lower=THINNEST,
        )
        self.gains = (self.slope, self.reach, self.boundary_layer)

    def compute(
        self,
        error: Array,
        velocity: Array,
        goal_velocity: Array,
        goal_acceleration: Array,
        period: float,  # noqa: ARG002 - this law keeps nothing
        command: Array,
    ) -> float:
        """Write the command and return the length of the error; see `ControlLaw.compute`."""
        length: float = sliding_mode(
            error,
            velocity,
            goal_velocity,
            goal_acceleration,
            self.slope.value,
            self.reach.value,
            self.boundary_layer.value,
            command,
        )
        return length
