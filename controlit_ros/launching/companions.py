"""The programs of ROS 2 that show what a controller does."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchDescriptionEntity
from launch.actions import LogInfo
from launch_ros.actions import Node

from controlit_ros.configuration import Configuration
from controlit_ros.model.urdf_document import read_urdf
from controlit_ros.share import share_directory
from controlit_ros.starters.prefixed_layout import prefixed

WORLD = "world"
ANY_ROBOT = "dreamer"
"""Whose layout shows robots without one of their own: its topics are relative."""


def companions(
    configuration: Configuration, *, rviz: bool, use_sim_time: bool = False
) -> list[LaunchDescriptionEntity]:
    """Return robot_state_publisher and, if asked for, RViz, in the controller's namespace.

    There they find `joint_states`, `markers` and the rest. What is not installed becomes a remark.

    Raises:
        LockedJointError: Joints of the robot cannot be locked.
        RobotDescriptionError: The description of the robot cannot be found.
    """
    prefix = configuration.parameters.frame_prefix
    urdf = read_urdf(configuration.read_robot_description().urdf).text
    found = [
        _if_installed(
            package="robot_state_publisher",
            executable="robot_state_publisher",
            namespace=configuration.name,
            parameters=[
                {
                    "robot_description": urdf,
                    "use_sim_time": use_sim_time,
                    "frame_prefix": prefix,
                }
            ],
        )
    ]
    if rviz:
        found.append(
            _if_installed(
                package="rviz2",
                executable="rviz2",
                namespace=configuration.name,
                arguments=["-d", str(prefixed(layout(Path(configuration.source)), prefix))],
                parameters=[{"use_sim_time": use_sim_time}],
            )
        )
    return found


def standing(prefix: str, *, y: float) -> LaunchDescriptionEntity:
    """Return what tells where a robot stands among others.

    Args:
        prefix: Of its frames.
        y: Of its world in the frame `world` of all [m].
    """
    return _if_installed(
        package="tf2_ros",
        executable="static_transform_publisher",
        name=f"{prefix.strip('/')}_stands",
        arguments=["--y", str(y), "--frame-id", WORLD, "--child-frame-id", prefix + WORLD],
    )


def layout(configuration: Path) -> Path:
    """Return RViz's layout for a configuration: one of its name, or of its folder, a robot's."""
    beside = configuration.with_suffix(".rviz")
    if beside.is_file():
        return beside
    layouts = share_directory() / "config" / "rviz"
    own = layouts / f"{configuration.absolute().parent.name}.rviz"
    return own if own.is_file() else layouts / f"{ANY_ROBOT}.rviz"


def _if_installed(**node: object) -> LaunchDescriptionEntity:
    try:
        get_package_prefix(str(node["package"]))
    except PackageNotFoundError:
        return LogInfo(msg=f"{node['package']} is not installed and does not run")
    return Node(**node)
