"""Start a controller of Unitree's G1, a humanoid on two feet, on its simulation."""

from launch import LaunchDescription

from controlit_ros.launching import robot_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return robot_launch("g1", "stand")
