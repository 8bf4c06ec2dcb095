"""Start two controllers of Dreamer, side by side in one system, each on its simulation."""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

from controlit_ros.launching.arguments import declare, passed
from controlit_ros.launching.companions import standing

ONE = str(Path(__file__).parent / "dreamer.launch.py")
PLACES = {"left": 0.75, "right": -0.75}  # [m] along y, in the frame world that both stand in
ARGUMENTS = {
    "config": ("hands", "Configuration: the name of a file in config/dreamer, or a path."),
    "transport": ("auto", "How the servos talk: rclpy, dds (ROS 2's wire without it), or auto."),
    "rviz": ("false", "Whether to start RViz for each."),
}


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    robots = [
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(ONE),
            launch_arguments=[
                *passed(ARGUMENTS),
                ("namespace", name),
                ("frame_prefix", f"{name}/"),
            ],
        )
        for name in PLACES
    ]
    places = [standing(f"{name}/", y=place) for name, place in PLACES.items()]
    return LaunchDescription([*declare(ARGUMENTS), *robots, *places])
