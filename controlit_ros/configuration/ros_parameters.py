"""Parameters of ROS 2 that a node is started with: `-p name:=value` and `--params-file FILE`."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from controlit_ros.configuration.problem import ConfigurationError, Problem
from controlit_ros.configuration.yaml_reader import MAX_LENGTH, read_yaml
from controlit_ros.errors import did_you_mean, show
from controlit_ros.regular_file import NotTextError, UnreadableFileError, read_text
from controlit_ros.ros_arguments import (
    PARAMETER,
    PARAMETER_FILE,
    RosArgumentError,
    RosArguments,
    assignment,
)

MARK = "ros__parameters"
"""Key under which the parameters of a node stand in a file."""

_ONE, _ANY = "*", "**"
_PATTERNS = {_ONE: r"/\w+", _ANY: r"(?:/\w+)*"}
_LONGEST_CHARACTER = 4  # [bytes] of UTF-8


class RosParameters(NamedTuple):
    """What a node is started with.

    Attributes:
        values: Plain values by name, dots between the parts of a name.
        warnings: Files that hold nothing for the node.
    """

    values: dict[str, Any]
    warnings: tuple[str, ...] = ()


def ros_parameters(arguments: RosArguments, node: str) -> RosParameters:
    """Return the parameters that a command line has for a node; the last of a name counts.

    Args:
        arguments: The command line.
        node: Absolute name of the node.

    Raises:
        RosArgumentError: A rule is none, or for another node.
        ConfigurationError: A file cannot be read, or is no file of parameters.
    """
    values: dict[str, Any] = {}
    warnings = []
    for flag, text in arguments.options:
        if flag == PARAMETER:
            values |= _of_rule(text, node)
        elif flag == PARAMETER_FILE:
            found, nodes = _of_file(text, node)
            values |= found
            if not any(_fits(pattern, node) for pattern in nodes):
                warnings.append(f"{text} holds nothing for {node}{did_you_mean(node, nodes)}")
    return RosParameters(values, tuple(warnings))


def _of_rule(rule: str, node: str) -> dict[str, Any]:
    left, right = assignment(rule, PARAMETER)
    pattern, _, name = left.rpartition(":")
    if pattern and not _fits(_absolute(pattern), node):
        raise RosArgumentError(f"{PARAMETER}: {rule!r} is for {pattern!r}, this node is {node!r}")
    document = read_yaml(right)
    if document.problems:
        reason = document.problems[0].message
        raise RosArgumentError(f"{PARAMETER}: found {right!r} for {name}, expected YAML: {reason}")
    return dict(_flat({name: document.data}))


def _of_file(path: str, node: str) -> tuple[dict[str, Any], list[str]]:
    """Return the parameters of a node, and for which nodes there are any."""
    try:
        document = read_yaml(read_text(path, _LONGEST_CHARACTER * MAX_LENGTH))
    except NotTextError as error:
        problem = Problem(error.line, 1, "", f"{error}, expected a YAML file")
        raise ConfigurationError(path, [problem]) from None
    except UnreadableFileError as error:
        raise ConfigurationError(path, [Problem(1, 1, "", str(error))]) from None
    if document.problems:
        raise ConfigurationError(path, document.problems)
    sections = dict(_sections(document.data, ""))
    bad = [name for name, found in sections.items() if not isinstance(found, dict)]
    if bad or not sections:
        found = f"{bad[0]}: {show(sections[bad[0]])}" if bad else show(document.data)
        message = f"found {found}, expected nodes with {MARK}, as in `{{/**: {{{MARK}: {{...}}}}}}`"
        raise ConfigurationError(path, [Problem(1, 1, "", message)])
    values: dict[str, Any] = {}
    for pattern, own in sections.items():
        if _fits(pattern, node):
            values |= _flat(own)
    return values, list(sections)


def _sections(data: Any, above: str) -> list[tuple[str, Any]]:
    """Return what stands under each `ros__parameters`, and anything that stands where one should.

    Namespaces may be maps of nodes, or part of the nodes' names.
    """
    if not isinstance(data, dict):
        return [(above or "/", data)] if above else []
    found: list[tuple[str, Any]] = []
    for key, value in data.items():
        if key == MARK:
            found.append((above or "/", value or {}))
        else:
            found += _sections(value, f"{above}{_absolute(key)}")
    return found


def _flat(values: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict) and value:
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[f"{above}{key}"] = value
    return flat


def _absolute(name: str) -> str:
    return name if name.startswith("/") else f"/{name}"


def _fits(pattern: str, node: str) -> bool:
    """Tell whether a pattern means a node: `*` is one part of its name, `**` any number."""
    parts = pattern.strip("/").split("/")
    expression = "".join(_PATTERNS.get(part, f"/{re.escape(part)}") for part in parts)
    return re.fullmatch(expression, node) is not None
