"""Configuration files: their schema, their loader and their errors."""

from controlit_ros.configuration.configuration import Configuration, configuration_schema
from controlit_ros.configuration.entries import (
    BindingEntry,
    BindingProperties,
    CompoundTaskEntry,
    ConstraintEntry,
    ConstraintSetEntry,
    EventEntry,
    TaskEntry,
    WholeBodyControllerEntry,
)
from controlit_ros.configuration.loader import load_configuration
from controlit_ros.configuration.location import KeyPath, Location, format_path
from controlit_ros.configuration.parameters import EVERY_JOINT, ControllerParameters
from controlit_ros.configuration.plugins import (
    PluginKind,
    available,
    check_plugin,
    load_plugin,
)
from controlit_ros.configuration.problem import ConfigurationError, Problem
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import (
    DescriptionFile,
    RobotDescriptionError,
    read_robot_description,
)
from controlit_ros.installed import PluginError

__all__ = [
    "EVERY_JOINT",
    "BindingEntry",
    "BindingProperties",
    "CompoundTaskEntry",
    "Configuration",
    "ConfigurationError",
    "ConstraintEntry",
    "ConstraintSetEntry",
    "ControllerParameters",
    "DescriptionFile",
    "EventEntry",
    "KeyPath",
    "Location",
    "PluginError",
    "PluginKind",
    "Problem",
    "ProblemCollector",
    "RobotDescriptionError",
    "TaskEntry",
    "WholeBodyControllerEntry",
    "available",
    "check_plugin",
    "configuration_schema",
    "format_path",
    "load_configuration",
    "load_plugin",
    "read_robot_description",
]
