"""Robot interfaces: the hardware abstraction layer."""

from controlit_ros.robots.robot_interface import (
    Coupling,
    RobotInterface,
    RobotInterfaceError,
    RobotSetup,
)

__all__ = ["Coupling", "RobotInterface", "RobotInterfaceError", "RobotSetup"]
