"""Kinematics and dynamics of the robot."""

from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import (
    BASE_DOFS,
    WORLD,
    ModelError,
    ModelOptions,
    RobotDescription,
    UnknownBodyError,
    UnknownJointError,
)
from controlit_ros.model.robot_model import Array, RobotModel
from controlit_ros.model.robot_state import RobotState

__all__ = [
    "BASE_DOFS",
    "WORLD",
    "Array",
    "FramePoint",
    "ModelError",
    "ModelOptions",
    "RobotDescription",
    "RobotModel",
    "RobotState",
    "UnknownBodyError",
    "UnknownJointError",
]
