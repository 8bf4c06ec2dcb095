"""Inputs that may set nothing."""

from collections.abc import Mapping

from controlit_ros.bindings import BindingConfig, Direction
from controlit_ros.configuration import PluginKind, load_plugin
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.parameters import ParameterDirectory, RemoteAccess


def access_warnings(
    access: RemoteAccess,
    directory: ParameterDirectory,
    stated: Mapping[int, tuple[BindingConfig, str]],
) -> Findings:
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
