"""Where a robot is before anybody has measured it."""

import numpy as np

from controlit_ros.model import RobotDescription, RobotState


def rest_state(robot: RobotDescription) -> RobotState:
    """Return a state at rest: joints where in their range they are nearest to zero."""
    state = RobotState(robot.real_joints)
    np.clip(0.0, robot.lower_limits, robot.upper_limits, out=state.position)
    return state
