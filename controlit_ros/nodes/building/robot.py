"""The robot: what its description says, and the parameters about its joints."""

from collections.abc import Sequence
from pathlib import PurePath

from controlit_ros.configuration import EVERY_JOINT, ConfigurationError, KeyPath
from controlit_ros.configuration.robot_description import is_inline
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.model import (
    LockedJointError,
    ModelError,
    ModelOptions,
    RobotDescription,
    UrdfError,
    moving_joints,
)
from controlit_ros.nodes.building.section_builder import SectionBuilder

BY_JOINT = (
    "effort_limits",
    "rotor_inertia",
    "trajectory_goal_tolerance",
    "trajectory_path_tolerance",
    "velocity_limits",
)
"""Parameters that are maps by joint."""


def build_robot(builder: SectionBuilder) -> RobotDescription:
    """Return the robot as its description has it, before constraints couple its joints.

    Raises:
        ConfigurationError: There is none, without which nothing else can be looked at.
    """
    try:
        text = builder.configuration.read_robot_description().urdf
        joints = moving_joints(text)
    except ControlItError as error:
        locked = isinstance(error, LockedJointError)
        raise _no_robot(builder, error, "locked_joints" if locked else "") from None
    options = _options(builder, joints)
    try:
        robot = RobotDescription(text, options)
    except ControlItError as error:
        key = "coupled_joint_groups" if "coupled" in str(error) else ""
        raise _no_robot(builder, error, key) from None
    if not robot.actuable_joints:
        none = ModelError("no joint of the robot can be moved, expected one at least")
        raise _no_robot(builder, none, "")
    for gripper, names in builder.configuration.parameters.grippers.items():
        for i, joint in enumerate(names):
            path: KeyPath = ("parameters", "grippers", gripper, i)
            if joint not in robot.actuable_joints:
                hint = did_you_mean(joint, robot.actuable_joints)
                builder.problems.add(path, f"unknown joint {joint!r}{hint}")
    return robot


def _options(builder: SectionBuilder, joints: Sequence[str]) -> ModelOptions:
    parameters = builder.configuration.parameters
    inertia = dict(parameters.rotor_inertia)
    others = inertia.pop(EVERY_JOINT, 0.0)
    for key in BY_JOINT:
        for joint in getattr(parameters, key):
            if joint != EVERY_JOINT:
                builder.is_known(joint, joints, "joint", ("parameters", key, joint))
    uncompensated, passive = (
        tuple(
            joint
            for i, joint in enumerate(getattr(parameters, key))
            if builder.is_known(joint, joints, "joint", ("parameters", key, i))
        )
        for key in ("gravity_compensation_mask", "passive_joints")
    )
    return ModelOptions(
        coupled_joint_groups=parameters.coupled_joint_groups,
        world_gravity=parameters.world_gravity,
        gravity_compensation_mask=uncompensated,
        passive_joints=passive,
        rotor_inertia={joint: inertia.get(joint, others) for joint in joints},
    )


def _no_robot(builder: SectionBuilder, error: ControlItError, key: str) -> ConfigurationError:
    """Return everything found so far."""
    path: KeyPath = ("parameters", key) if key else ("robot_description",)
    reference = builder.configuration.robot_description
    if isinstance(error, UrdfError):  # which tells the line there
        name = "" if is_inline(reference) else f"{PurePath(reference).name} "
        for problem in error.problems:
            builder.problems.add(path, f"{name}{problem}")
    else:
        builder.problems.add(path, str(error))
    return ConfigurationError(builder.problems.origin.source, builder.problems.problems)
