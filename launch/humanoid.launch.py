"""Run the demonstration in which Talos keeps its balance and lifts a foot."""

from launch import LaunchDescription

from controlit_demos.demo_launch import demo_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return demo_launch("humanoid")
