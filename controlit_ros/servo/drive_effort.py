"""What a joint gets from its command and from the joint controllers of the robot together."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command


def total_effort(
    command: Command, position: Array, velocity: Array, *, out: Array, part: Array
) -> Array:
    """Return the effort of a command with what the robot's drives add to it.

    Args:
        command: What is asked for.
        position: `(na,)` measured.
        velocity: `(na,)` measured.
        out: `(na,)` memory of the result.
        part: `(na,)` overwritten.

    Returns:
        `out`, or the command's own effort where it asks for no motion.
    """
    if command.position is None or command.velocity is None:
        return command.effort
    np.copyto(out, command.effort)
    for gain, goal, found in (
        (command.stiffness, command.position, position),
        (command.damping, command.velocity, velocity),
    ):
        if gain is not None:
            np.subtract(goal, found, out=part)
            part *= gain
            out += part
    return out
