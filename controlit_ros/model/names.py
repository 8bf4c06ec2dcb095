"""Names that others take from the room `model`, at once."""

from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.inertial_unit import InertialUnit
from controlit_ros.model.locked_joints import LockedJointError, lock_joints
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import (
    BASE_DOFS,
    FIRST_JOINT,
    ModelOptions,
    RobotDescription,
    UnknownBodyError,
    UnknownJointError,
    moving_joints,
)
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.robot_state import RobotState
from controlit_ros.model.stated_limits import state_limits
from controlit_ros.model.urdf_check import UrdfError, urdf_problems
from controlit_ros.model.world import WORLD
from controlit_ros.model.wrench_sensor import Mount, WrenchSensor

__all__ = [
    "BASE_DOFS",
    "FIRST_JOINT",
    "WORLD",
    "FramePoint",
    "InertialUnit",
    "LockedJointError",
    "ModelError",
    "ModelOptions",
    "Mount",
    "RobotDescription",
    "RobotModel",
    "RobotState",
    "UnknownBodyError",
    "UnknownJointError",
    "UrdfError",
    "WrenchSensor",
    "lock_joints",
    "moving_joints",
    "state_limits",
    "urdf_problems",
]
