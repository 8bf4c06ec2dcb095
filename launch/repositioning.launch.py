"""Run the demonstration in which Dreamer's hand goes to random places."""

from launch import LaunchDescription

from controlit_demos.demo_launch import demo_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return demo_launch("repositioning")
