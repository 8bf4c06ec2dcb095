"""What of a controller may be set over topics and services."""

from collections.abc import Sequence

from controlit_ros.configuration import ControllerParameters
from controlit_ros.parameters import Parameter, RemoteAccess
from controlit_ros.tasks import Task


def remote_access(parameters: ControllerParameters, tasks: Sequence[Task]) -> RemoteAccess:
    """Return what the parameter `remote_access` allows.

    Args:
        parameters: Of the controller.
        tasks: Whose goals are goals.
    """
    return RemoteAccess(parameters.remote_access, [p for task in tasks for p in goals_of(task)])


def goals_of(task: Task) -> tuple[Parameter, ...]:
    """Return the parameters that lead the robot to somewhere."""
    goals = (task.goal, task.goal_velocity, task.goal_acceleration, task.tare)
    return tuple(parameter for parameter in goals if parameter is not None)
