"""Limits of joints whose description leaves them none: exporters write 0 for unknown."""

from collections.abc import Collection

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, FIRST_JOINT, RobotDescription

CHOSEN_SPEED = 1.0  # [rad/s or m/s]
RESERVE = 2.0  # [-] of the effort that gravity takes at most
LEAST_EFFORT = 1.0  # [N m or N]
GRAVITY = 9.81  # [m/s²]


def chosen_limits(
    robot: RobotDescription, followers: Collection[str] = ()
) -> dict[str, dict[str, float]]:
    """Return limits for a robot of which no joint has both effort and speed.

    Efforts are twice what gravity can take in any posture.

    Args:
        robot: Its structure, with the limits of its description.
        followers: Joints that follow others, whose limits let nothing move.

    Returns:
        By parameter of the configuration (`effort_limits`, `velocity_limits`) and by joint; none
        where a joint of the robot has limits above 0.
    """
    leads = np.array([joint not in followers for joint in robot.real_joints])
    if (np.minimum(robot.effort_limits, robot.velocity_limits) > 0.0)[leads].any():
        return {}
    efforts = RESERVE * _largest_gravity(robot)
    speeds = np.full(len(efforts), CHOSEN_SPEED)
    chosen = {
        "effort_limits": _where_zero(robot, robot.effort_limits, efforts),
        "velocity_limits": _where_zero(robot, robot.velocity_limits, speeds),
    }
    return {parameter: limits for parameter, limits in chosen.items() if limits}


def _where_zero(robot: RobotDescription, limits: Array, values: Array) -> dict[str, float]:
    return {
        robot.real_joints[i]: _rounded_up(float(values[i])) for i in np.flatnonzero(limits <= 0.0)
    }


def _largest_gravity(robot: RobotDescription) -> Array:
    """Return the efforts that gravity takes at most, whatever the posture, `(n,)` [N m or N].

    The lever arm of a body is at most the length of the chain of links between, with all that
    sliding joints add to it.
    """
    model = robot.pinocchio
    efforts = np.zeros(len(robot.real_joints))
    for body in range(FIRST_JOINT, model.njoints):
        mass = max(model.inertias[body].mass, 0.0)
        arm = float(np.linalg.norm(model.inertias[body].lever))
        joint = body
        while joint >= FIRST_JOINT:
            i = model.idx_vs[joint] - BASE_DOFS
            if robot.is_sliding[i]:
                efforts[i] += mass * GRAVITY
                ends = np.abs((robot.lower_limits[i], robot.upper_limits[i]))
                arm += float(ends.max()) if np.isfinite(ends).all() else 0.0
            else:
                efforts[i] += mass * GRAVITY * arm
            arm += float(np.linalg.norm(model.jointPlacements[joint].translation))
            joint = model.parents[joint]
    return np.maximum(efforts, LEAST_EFFORT)


def _rounded_up(value: float) -> float:
    """Return a number with two digits that is not smaller."""
    step = 10.0 ** (np.floor(np.log10(value)) - 1.0)
    return float(f"{np.ceil(value / step - 1e-9) * step:.2g}")
