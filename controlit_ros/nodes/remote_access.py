"""What of a controller may be set over topics and services."""

from collections.abc import Sequence

from controlit_ros.configuration import ControllerParameters
from controlit_ros.parameters import RemoteAccess
from controlit_ros.tasks import Task


def remote_access(parameters: ControllerParameters, tasks: Sequence[Task]) -> RemoteAccess:
    """Return what the parameter `remote_access` allows.

    Args:
        parameters: Of the controller.
        tasks: Whose goals are goals.
    """
    goals = [
        parameter
        for task in tasks
        for parameter in (task.goal, task.goal_velocity, task.goal_acceleration, task.tare)
        if parameter is not None
    ]
    return RemoteAccess(parameters.remote_access, goals)
