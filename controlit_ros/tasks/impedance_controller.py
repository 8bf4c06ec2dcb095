"""ImpedanceController: a spring and a damper between a goal and a body."""

from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.tasks.pid_law import PIDLaw


class ImpedanceController(PIDLaw):
    """The wrench of a spring and a damper.

    command = stiffness e + damping (v_goal − v)
    """

    def __init__(
        self,
        owner: ParameterReflection,
        dimension: int,
        *,
        by_component: bool = True,
        labels: tuple[str, ...] = (),
        unit: str = "m, rad",
    ) -> None:
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.stiffness = self.declare_gain(
            "stiffness", "N/m, N m/rad", "how hard the body is drawn to its goal"
        )
        self.damping = self.declare_gain(
            "damping", "N s/m, N m s/rad", "how hard the body is drawn to the goal's velocity"
        )
        nothing = Parameter("ki", 0.0, shape=(dimension,), broadcast=True)
        self.gains = (self.stiffness, nothing, self.damping)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the law declared on the task."""
        return self.stiffness, self.damping
