"""Kinematics and dynamics of the robot."""

from controlit_ros.model.robot_state import RobotState

__all__ = ["RobotState"]
