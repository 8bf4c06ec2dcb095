"""What of a controller may be set over topics and services."""

from collections.abc import Iterator, Mapping, Sequence

from controlit_ros.bindings import BindingConfig, Direction
from controlit_ros.configuration import ControllerParameters, PluginKind, load_plugin
from controlit_ros.errors import ControlItError
from controlit_ros.parameters import ParameterDirectory, RemoteAccess
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


def access_warnings(
    access: RemoteAccess,
    directory: ParameterDirectory,
    stated: Mapping[int, tuple[BindingConfig, str]],
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the inputs that may set nothing, each with its place.

    Args:
        access: What may be set.
        directory: Parameters by full name.
        stated: Bindings of the file and their transport types, by their number there.
    """
    for number, (config, transport_type) in stated.items():
        if config.direction is not Direction.INPUT:
            continue
        if not load_plugin(PluginKind.BINDING_FACTORY, transport_type).is_remote:
            continue
        parameter = directory[config.parameter]
        try:
            access.check(access.kind_of(parameter), parameter.full_name)
        except ControlItError as error:
            yield ("bindings", number), f"this input does nothing: {error}"
