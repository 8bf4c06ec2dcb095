"""posture_stops: goals of all tasks along postures of the robot."""

from collections.abc import Sequence

import numpy as np

from controlit_demos.programs.stop import Stop
from controlit_demos.programs.waypoint import Waypoint
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.paths.trajectory import TrajectoryError

LIMIT_MARGIN = 0.1  # [rad or m] from joint limits: room for the posture to differ a little


def posture_stops(stack: ControllerStack, waypoints: Sequence[Waypoint]) -> tuple[Stop, ...]:
    """Return a stop for each of several postures.

    The goal of each task is what the task measures in that posture, so all goals can be reached
    there, and together.

    Args:
        stack: Its tasks and robot; left unchanged but for the tasks' inactive states.
        waypoints: Postures inside the joint limits.

    Raises:
        TrajectoryError: A posture is outside the limits.
        UnknownJointError: A posture names a joint the robot does not have.
    """
    tasks = [task for task in stack.tasks.tasks if not task.is_disabled]
    model = stack.create_model().robot_model
    stops = []
    for waypoint in waypoints:
        model.update(_state(stack, waypoint))
        for task in tasks:
            task.update(model, task.inactive)
        goals = {task.name: task.inactive.actual.copy() for task in tasks}
        stops.append(Stop(waypoint.name, waypoint.duration, goals, waypoint.pause))
    return tuple(stops)


def _state(stack: ControllerStack, waypoint: Waypoint) -> RobotState:
    """Return a robot at rest in a posture; slaves of transmissions follow their masters."""
    robot = stack.robot
    state = RobotState(robot.real_joints)
    for joint, position in waypoint.posture.items():
        state.position[robot.joint_index(joint)] = position
    for coupling in stack.constraints.couplings:
        master = state.position[robot.joint_index(coupling.master)]
        state.position[robot.joint_index(coupling.slave)] = coupling.ratio * master
    margin = np.minimum(
        state.position - robot.lower_limits,
        robot.upper_limits - state.position,
    )
    worst = int(np.argmin(margin))
    if margin[worst] < LIMIT_MARGIN:
        raise TrajectoryError(
            f"waypoint {waypoint.name!r}: {robot.real_joints[worst]} at "
            f"{state.position[worst]:.3f}, expected {LIMIT_MARGIN:g} or more inside "
            f"{robot.lower_limits[worst]:.3f} to {robot.upper_limits[worst]:.3f}"
        )
    return state
