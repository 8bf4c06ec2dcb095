"""Start a controller of Panda, an arm with seven joints, on its simulation."""

from launch import LaunchDescription

from controlit_ros.launching import robot_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return robot_launch("panda", "reach")
