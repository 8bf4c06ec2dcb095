"""What gravity leaves of the joints' efforts where the robot begins."""

import numpy as np

from controlit_ros.constraints import ConstraintSet, holding_effort
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.nodes.checks.findings import Findings

LARGEST_SHARE = 0.7  # [-] of the effort limit: with less left a motion soon asks for more


def gravity_warnings(
    robot: RobotDescription, constraints: ConstraintSet, start: RobotState
) -> Findings:
    """Yield a warning if holding still takes most of what some motors can do, joint by joint.

    Args:
        robot: Its structure.
        constraints: Of the robot; those that hold count.
        start: Where the robot begins.
    """
    try:
        taken = np.abs(holding_effort(robot, constraints, start))
    except ControlItError:
        return  # the servo will say so
    limits = robot.effort_limits[robot.command_indices]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = taken / limits
    heavy = [i for i in np.argsort(-shares) if limits[i] > 0.0 and shares[i] > LARGEST_SHARE]
    if heavy:
        listed = ", ".join(
            f"{robot.command_joints[i]} {100.0 * shares[i]:.0f} % "
            f"({taken[i]:.3g} of {limits[i]:.3g})"
            for i in heavy
        )
        text = (
            f"at the start gravity takes of the effort limits: {listed}; expected at most "
            f"{100.0 * LARGEST_SHARE:.0f} %, since what tasks ask for beyond the limits is "
            "truncated and the robot goes elsewhere; begin in another posture, or lower the load"
        )
        yield ("robot_description",), text
