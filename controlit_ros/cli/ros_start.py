"""What a node is started with: `--set` of ours, parameters of ROS 2."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from controlit_ros.configuration import load_configuration
from controlit_ros.configuration.ros_overrides import ros_overrides
from controlit_ros.configuration.ros_parameters import ros_parameters
from controlit_ros.ros_arguments import PARAMETER, PARAMETER_FILE, RosArguments
from controlit_ros.transport.remapping import own_name


class Start(NamedTuple):
    """What a controller is loaded with.

    Attributes:
        overrides: Of its file (see `load_configuration`).
        warnings: What is legal but probably not meant.
    """

    overrides: dict[str, Any]
    warnings: tuple[str, ...] = ()


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
    if not (arguments.values(PARAMETER) or arguments.values(PARAMETER_FILE)):
        return Start(dict(settings))
    configuration = load_configuration(file, settings)
    found = ros_parameters(arguments, own_name(node, configuration.name).full_name)
    return Start({**ros_overrides(found.values, configuration), **settings}, found.warnings)
