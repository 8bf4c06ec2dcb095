"""PosturePlan: goals of all tasks along postures of the robot."""

from collections.abc import Sequence

import numpy as np

from controlit_demos.programs.goal_plan import GoalPlan, PlanBuilder
from controlit_demos.programs.waypoint import Waypoint
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.paths.trajectory import TrajectoryError

LIMIT_MARGIN = 0.1  # [rad or m] from joint limits: room for the posture to differ a little


class PosturePlan(GoalPlan):
    """Goals of all tasks of a controller along waypoint postures.

    At a waypoint the goal of each task is what the task measures in that posture, so all goals can
    be reached there, and together. In between goals follow cubic splines.

    Args:
        stack: Its tasks and robot; left unchanged but for the tasks' inactive states.
        waypoints: Postures inside the joint limits; the first is where the plan begins.

    Raises:
        TrajectoryError: A posture is outside the limits, or times do not fit.
        UnknownJointError: A posture names a joint the robot does not have.
    """

    def __init__(self, stack: ControllerStack, waypoints: Sequence[Waypoint]) -> None:
        tasks = [task for task in stack.tasks.tasks if not task.is_disabled]
        model = stack.create_model().robot_model
        builder = PlanBuilder(tasks)
        for waypoint in waypoints:
            model.update(_state(stack, waypoint))
            for task in tasks:
                task.update(model, task.inactive)
            goals = {task.name: task.inactive.actual for task in tasks}
            builder.add(waypoint.name, waypoint.duration, goals, waypoint.pause)
        super().__init__(builder)


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
