"""GoalPlan: where every task's goal is at every time."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.applications.trajectory import Array, Trajectory, TrajectoryError
from controlit_ros.applications.unit_trajectory import UnitTrajectory
from controlit_ros.applications.waypoint import Waypoint
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack

LIMIT_MARGIN = 0.1  # [rad or m] from joint limits: room for the posture to differ a little


class GoalPlan:
    """Goals of all tasks of a controller along waypoint postures.

    At a waypoint the goal of each task is what the task measures in that posture, so all goals can
    be reached there, and together. In between goals follow cubic splines.

    Args:
        stack: Its tasks and robot; left unchanged but for the tasks' inactive states.
        waypoints: Postures inside the joint limits; the first is where the plan begins.

    Attributes:
        trajectories: By task name.
        phases: Begin [s] and name of each motion and pause.

    Raises:
        TrajectoryError: A posture is outside the limits, or times do not fit.
        UnknownJointError: A posture names a joint the robot does not have.
    """

    def __init__(self, stack: ControllerStack, waypoints: Sequence[Waypoint]) -> None:
        tasks = [task for task in stack.tasks.tasks if not task.is_disabled]
        model = stack.create_model().robot_model
        times: list[float] = []
        stops: list[int] = []
        points: dict[str, list[Array]] = {task.name: [] for task in tasks}
        self.phases: list[tuple[float, str]] = []
        now = 0.0
        for number, waypoint in enumerate(waypoints):
            if number > 0:
                self.phases.append((now, waypoint.name))
                now += waypoint.duration
            model.update(_state(stack, waypoint))
            for task in tasks:
                task.update(model, task.inactive)
                actual = task.inactive.actual.copy()
                points[task.name] += [actual, actual] if waypoint.pause > 0.0 else [actual]
            times.append(now)
            if waypoint.pause > 0.0:
                self.phases.append((now, "pause"))
                now += waypoint.pause
                stops += [len(times) - 1, len(times)]
                times.append(now)
        self.trajectories: dict[str, Trajectory] = {
            task.name: (UnitTrajectory if task.goal.unit_length else Trajectory)(
                times, points[task.name], stops
            )
            for task in tasks
        }

    @property
    def duration(self) -> float:
        """Time of the last goal [s]."""
        return max((path.end for path in self.trajectories.values()), default=0.0)

    def phase(self, time: float) -> str:
        """Return the name of the motion or pause at a time [s]."""
        name = "start"
        for begin, phase in self.phases:
            if time >= begin:
                name = phase
        return name


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
