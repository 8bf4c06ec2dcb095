"""Run the demonstration in which Dreamer takes a valve off a tube."""

from launch import LaunchDescription

from controlit_demos.demo_launch import demo_launch


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return demo_launch("disassembly")
