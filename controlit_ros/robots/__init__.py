"""Robot interfaces: the hardware abstraction layer."""

from controlit_ros.robots.robot_interface import RobotInterface, RobotInterfaceError, RobotSetup
