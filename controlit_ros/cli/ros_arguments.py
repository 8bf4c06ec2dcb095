"""The part of a command line that is for ROS 2."""

from collections.abc import Sequence

BEGIN, END = "--ros-args", "--"


def without_ros_arguments(arguments: Sequence[str]) -> list[str]:
    """Leave out what stands from each `--ros-args` to the next `--` or the end.

    `ros2 launch` appends such a part to every command line; the transport on rclpy reads it from
    there by itself, the others have no use for it.
    """
    kept = []
    is_ours = True
    for argument in arguments:
        if argument == BEGIN:
            is_ours = False
        elif is_ours:
            kept.append(argument)
        elif argument == END:
            is_ours = True
    return kept
