"""JointLimits: what a command may ask of the joints."""

from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import RobotDescription


class JointLimits(NamedTuple):
    """Limits of the command joints, infinite where there are none.

    Attributes:
        effort: `(na,)` largest effort in either direction [N m] or [N].
        velocity: `(na,)` largest speed in either direction [rad/s] or [m/s].
        lower: `(na,)` lower end of the range [rad] or [m].
        upper: `(na,)` upper end of the range [rad] or [m].
    """

    effort: Array
    velocity: Array
    lower: Array
    upper: Array

    @classmethod
    def of(cls, robot: RobotDescription) -> "JointLimits":
        """Return the limits of the URDF."""
        joints = robot.command_indices
        return cls(
            robot.effort_limits[joints],
            robot.velocity_limits[joints],
            robot.lower_limits[joints],
            robot.upper_limits[joints],
        )
