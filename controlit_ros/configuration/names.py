"""Names that others take from the room `configuration`, at once."""

from controlit_ros.configuration.configuration import Configuration, configuration_schema
from controlit_ros.configuration.entries import EventEntry, WholeBodyControllerEntry
from controlit_ros.configuration.extension import Extension, extended, reduced
from controlit_ros.configuration.loader import changed, load_configuration
from controlit_ros.configuration.location import KeyPath, Location, format_path
from controlit_ros.configuration.parameters import EVERY_JOINT, ControllerParameters
from controlit_ros.configuration.plugins import (
    PluginKind,
    available,
    load_plugin,
)
from controlit_ros.configuration.problem import ConfigurationError
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import (
    RobotDescriptionError,
    read_robot_description,
)
from controlit_ros.installed import PluginError

__all__ = [
    "EVERY_JOINT",
    "Configuration",
    "ConfigurationError",
    "ControllerParameters",
    "EventEntry",
    "Extension",
    "KeyPath",
    "Location",
    "PluginError",
    "PluginKind",
    "ProblemCollector",
    "RobotDescriptionError",
    "WholeBodyControllerEntry",
    "available",
    "changed",
    "configuration_schema",
    "extended",
    "format_path",
    "load_configuration",
    "load_plugin",
    "read_robot_description",
    "reduced",
]
