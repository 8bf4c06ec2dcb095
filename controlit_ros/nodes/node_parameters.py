"""NodeParameters: parameters that every node of ROS 2 has."""

from controlit_ros.parameters import Access, ParameterReflection


class NodeParameters(ParameterReflection):
    """Shows `use_sim_time`, a name without owner, as ROS 2 has it.

    Args:
        uses_sim_time: Whether the servo runs in the time of `/clock`.
    """

    def __init__(self, *, uses_sim_time: bool) -> None:
        super().__init__("")
        self.declare(
            "use_sim_time",
            uses_sim_time,
            access=Access.CONFIGURATION,
            description="Whether the servo runs in the time of the topic /clock.",
        )
