"""What gravity leaves of the joints' efforts where the robot begins."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.model import ModelError, RobotState

KeyPath = tuple[str | int, ...]

LARGEST_SHARE = 0.7  # [-] of the effort limit: with less left a motion soon asks for more


def gravity_warnings(model: ConstrainedModel, start: RobotState) -> Iterator[tuple[KeyPath, str]]:
    """Yield a warning if holding still takes most of what some motors can do, joint by joint.

    Args:
        model: Of the robot under its constraints; updated.
        start: Where the robot begins.
    """
    robot = model.robot_model.description
    try:
        model.update(start)
    except ModelError:
        return  # the servo will say so
    limits = robot.effort_limits[robot.command_indices]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.abs(model.bias_effort) / limits
    taken = [i for i in np.argsort(-shares) if limits[i] > 0.0 and shares[i] > LARGEST_SHARE]
    if taken:
        listed = ", ".join(
            f"{robot.command_joints[i]} {100.0 * shares[i]:.0f} % "
            f"({abs(model.bias_effort[i]):.3g} of {limits[i]:.3g})"
            for i in taken
        )
        text = (
            f"at the start gravity takes of the effort limits: {listed}; expected at most "
            f"{100.0 * LARGEST_SHARE:.0f} %, since what tasks ask for beyond the limits is "
            "truncated and the robot goes elsewhere; begin in another posture, or lower the load"
        )
        yield ("robot_description",), text
