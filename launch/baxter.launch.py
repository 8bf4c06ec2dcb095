"""Start a controller of Baxter, two arms that stay apart, on its simulation."""

from launch import LaunchDescription

from controlit_ros.launching import robot_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return robot_launch("baxter", "arms")
