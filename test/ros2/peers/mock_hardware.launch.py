"""Mock hardware of ros2_control with its controller manager, without controllers."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import FileContent, LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = ("namespace", "urdf", "parameters")


def generate_launch_description() -> LaunchDescription:
    """Return the manager, and who tells it the description."""
    namespace, urdf, parameters = map(LaunchConfiguration, ARGUMENTS)
    description = ParameterValue(FileContent(urdf), value_type=str)
    return LaunchDescription([
        *map(DeclareLaunchArgument, ARGUMENTS),
        Node(
            package="robot_state_publisher",
            executable="robot_state_publisher",
            namespace=namespace,
            parameters=[{"robot_description": description}],
        ),
        Node(
            package="controller_manager",
            executable="ros2_control_node",
            namespace=namespace,
            parameters=[parameters],
        ),
    ])  # fmt: skip
