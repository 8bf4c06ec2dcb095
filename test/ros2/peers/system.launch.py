"""A launch file as users put it together: a namespace, a parameter, and somebody else's file."""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import PushRosNamespace, SetParameter

ROOT = Path(__file__).parents[3]
HAND = ROOT / "test" / "cli" / "controllers" / "hand.yaml"
DEFAULTS = {"transport": "dds", "namespace": "arm", "parameter": "Posture.kp", "value": "77.0"}


def generate_launch_description() -> LaunchDescription:
    """Return a controller of Dreamer's hand below `/robot1`."""
    hand = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(ROOT / "launch" / "dreamer.launch.py")),
        launch_arguments=[
            ("config", str(HAND)),
            *((name, LaunchConfiguration(name)) for name in ("transport", "namespace")),
        ],
    )
    parameter = SetParameter(LaunchConfiguration("parameter"), LaunchConfiguration("value"))
    patience = SetParameter("state_timeout", 10.0)  # who is held up goes on
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=value) for name, value in DEFAULTS.items()),
        GroupAction([PushRosNamespace("robot1"), patience, parameter, hand]),
    ])  # fmt: skip
