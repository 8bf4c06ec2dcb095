"""Levels of the log that ROS 2 gives a node: `--log-level debug`, `--log-level NAME:=LEVEL`."""

from typing import NamedTuple

from controlit_ros.errors import did_you_mean
from controlit_ros.ros_arguments import ASSIGN, LOG_LEVEL, RosArgumentError, RosArguments

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR", "FATAL")
UNSET = "UNSET"


class LogLevels(NamedTuple):
    """What shall be logged.

    Attributes:
        general: Least severe level; `None`: as configured.
        loggers: Least severe level by name of a logger of Python.
    """

    general: str | None
    loggers: dict[str, str]


def log_levels(arguments: RosArguments, node: str) -> LogLevels:
    """Return the levels that a command line asks for; the last for a logger counts.

    Args:
        arguments: The command line.
        node: Absolute name of the node, whose logger stands for all of ours.

    Raises:
        RosArgumentError: There is no such level.
    """
    general = None
    loggers = {}
    for text in arguments.values(LOG_LEVEL):
        name, _, level = text.rpartition(ASSIGN)
        if name in ("", node.strip("/").replace("/", ".")):
            general = known_level(level, LOG_LEVEL)
        else:
            loggers[name] = known_level(level, LOG_LEVEL)
    return LogLevels(None if general == UNSET else general, loggers)


def known_level(name: str, option: str) -> str:
    """Return a level as the configuration has it, however it is written.

    Raises:
        RosArgumentError: There is none of that name.
    """
    level = name.upper()
    if level not in (*LEVELS, UNSET):
        hint = did_you_mean(name, [known.lower() for known in LEVELS])
        raise RosArgumentError(f"{option}: unknown level {name!r}{hint}")
    return level
