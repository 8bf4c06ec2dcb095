"""What a node is started with: `--set` of ours, parameters of ROS 2."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from controlit_ros.cli.log_levels import log_levels
from controlit_ros.configuration import load_configuration
from controlit_ros.configuration.ros_overrides import ros_overrides
from controlit_ros.configuration.ros_parameters import ros_parameters
from controlit_ros.ros_arguments import RosArguments
from controlit_ros.transport.qos_overrides import PREFIX
from controlit_ros.transport.remapping import own_name


class Start(NamedTuple):
    """What a controller is loaded with.

    Attributes:
        overrides: Of its file (see `load_configuration`).
        warnings: What is legal but probably not meant.
        loggers: Least severe level by name of a logger, of those that have one of their own.
        qos: Parameters for the quality of service of topics (see `QosOverrides`).
    """

    overrides: dict[str, Any]
    warnings: tuple[str, ...] = ()
    loggers: Mapping[str, str] = MappingProxyType({})
    qos: Mapping[str, Any] = MappingProxyType({})


def start_of(file: Path, node: str, settings: Mapping[str, Any], arguments: RosArguments) -> Start:
    """Return what a controller is loaded with; `--set` counts before parameters of ROS 2.

    Args:
        file: Of the controller.
        node: Name of the node, below the controller's.
        settings: What `--set` gave.
        arguments: The command line.

    Raises:
        ControlItError: The file is wrong, or there is no such parameter.
    """
    if not arguments.options:
        return Start(dict(settings))
    configuration = load_configuration(file, settings)
    full_name = own_name(node, configuration.name).full_name
    found = ros_parameters(arguments, full_name)
    levels = log_levels(arguments, full_name)
    qos = {name: value for name, value in found.values.items() if name.startswith(PREFIX)}
    values = {name: value for name, value in found.values.items() if name not in qos}
    overrides = ros_overrides(values, configuration)
    if levels.general is not None:
        overrides["log_level"] = levels.general
    return Start({**overrides, **settings}, found.warnings, levels.loggers, qos)
