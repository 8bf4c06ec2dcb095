"""Loading configurations from files and texts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from controlit_ros.configuration.configuration import TEXT_SOURCE, Configuration
from controlit_ros.configuration.cross_checks import check_across, entries
from controlit_ros.configuration.location import KeyPath, Location, Origin, format_path
from controlit_ros.configuration.problem import ConfigurationError, Problem
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import (
    RobotDescriptionError,
    read_robot_description,
)
from controlit_ros.configuration.validation import show, validate
from controlit_ros.configuration.yaml_reader import MAX_LENGTH, read_yaml

_TOP_LEVEL = ("name", "robot_description")
_SECTIONS = ("parameters", "robot_interface", "whole_body_controller", "servo_clock")
_LISTS = ("tasks", "constraints", "compound_task", "constraint_set", "bindings", "events")


def load_configuration(
    path_or_text: str | Path, overrides: Mapping[str, Any] | None = None
) -> Configuration:
    """Load and check a configuration without building the robot or any plugin.

    Args:
        path_or_text: Path of a YAML file; a `str` with a line break is the text itself.
        overrides: Values that replace those of the file, by parameter name as in
            `servo_frequency`, `name`, `robot_description`, or with the section as in
            `robot_interface.port`.

    Raises:
        ConfigurationError: The configuration cannot be used; it tells everything that is wrong.
    """
    source, text = _read(path_or_text)
    document = read_yaml(text)
    locations, problems = document.locations, document.problems
    data = document.data
    if not isinstance(data, dict):
        if not problems:
            found = "an empty file" if data is None else show(data)
            message = f"found {found}, expected a map with the keys name, robot_description, ..."
            problems = [Problem(1, 1, "", message)]
        raise ConfigurationError(source, problems)
    _fill_empty(data)
    problems += _flatten_properties(data, locations)
    overridden = _override(data, overrides or {})
    warnings = _list_the_unlisted(data, locations)
    collector = ProblemCollector(Origin(source, locations, overridden, tuple(warnings)))
    collector.problems += problems
    configuration = validate(data, collector)
    check_across(data, collector)
    _check_robot_description(data, source, collector)
    collector.raise_if_any()
    if configuration is None:  # pragma: no cover - validate notes a problem when it fails
        raise ConfigurationError(source, [Problem(1, 1, "", "cannot be validated")])
    return configuration


def _read(path_or_text: str | Path) -> tuple[str, str]:
    if isinstance(path_or_text, str) and ("\n" in path_or_text or not path_or_text.strip()):
        return TEXT_SOURCE, path_or_text
    source = str(path_or_text)
    try:
        with Path(source).open("rb") as file:
            content = file.read(4 * MAX_LENGTH + 1)  # four bytes hold any character
        return source, content.decode("utf-8")
    except FileNotFoundError:
        message = "there is no such file"
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"found bytes that are no UTF-8 text in line {line}, expected a YAML file"
    except (OSError, ValueError) as error:
        message = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    raise ConfigurationError(source, [Problem(1, 1, "", message)])


def _fill_empty(data: dict[str, Any]) -> None:
    """Take a section whose entries are all commented out for an empty one."""
    for sections, kind in ((_SECTIONS, dict), (_LISTS, list)):
        for section in sections:
            if section in data and data[section] is None:
                data[section] = kind()


def _flatten_properties(data: dict[str, Any], locations: dict[KeyPath, Location]) -> list[Problem]:
    """Turn the `properties` of bindings from a list of `key: value` into one map."""
    problems = []
    for i, entry in entries(data, "bindings"):
        listed = entry.get("properties")
        if not isinstance(listed, list):
            continue
        base: KeyPath = ("bindings", i, "properties")
        merged: dict[str, Any] = {}
        for j, item in enumerate(listed):
            path: KeyPath = (*base, j)
            if not isinstance(item, dict):
                message = f"found {show(item)}, expected `key: value`"
                problems.append(Problem(*locations[path], format_path(path), message))
                continue
            for key, value in item.items():
                own: KeyPath = (*path, key)
                shared: KeyPath = (*base, key)
                if key in merged:
                    message = f"the property {key!r} is given twice"
                    problems.append(Problem(*locations[own], format_path(path), message))
                merged[key] = value
                locations[shared] = locations[own]
        entry["properties"] = merged
    return problems


def _override(data: dict[str, Any], overrides: Mapping[str, Any]) -> frozenset[KeyPath]:
    overridden: set[KeyPath] = set()
    for name, value in overrides.items():
        section, _, key = name.partition(".")
        plain = _plain(value)
        if section in _SECTIONS and key:
            path: KeyPath = (section, key)
        elif name in _TOP_LEVEL:
            data[name] = plain
            overridden.add((name,))
            continue
        else:
            path = ("parameters", name)
        holder = data.get(str(path[0]))
        if holder is None:
            holder = data[str(path[0])] = {}
        if isinstance(holder, dict):  # otherwise the section itself is reported
            holder[str(path[1])] = plain
            overridden.add(path)
    return frozenset(overridden)


def _plain(value: Any) -> Any:
    """Turn arrays, as ROS parameters come, into lists and numbers of Python."""
    if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _list_the_unlisted(data: dict[str, Any], locations: dict[KeyPath, Location]) -> list[str]:
    """Disable what is declared but takes no part, and tell."""
    warnings = []
    for listing, declaring in (("compound_task", "tasks"), ("constraint_set", "constraints")):
        listed = data.setdefault(listing, [])
        if not isinstance(listed, list):
            continue
        names = {entry.get("name") for _, entry in entries(data, listing)}
        for i, entry in entries(data, declaring):
            name = entry.get("name")
            if not isinstance(name, str) or name in names:
                continue
            names.add(name)
            location = locations[declaring, i]
            warnings.append(
                f"{location.line}:{location.column}: {declaring}[{i}]: {name!r} is declared but "
                f"not listed in {listing}: it is disabled"
            )
            added: dict[str, Any] = {"name": name, "operational_state": "disable"}
            if listing == "compound_task":
                added["priority"] = 0
            locations[listing, len(listed)] = location
            listed.append(added)
    return warnings


def _check_robot_description(
    data: dict[str, Any], source: str, collector: ProblemCollector
) -> None:
    reference = data.get("robot_description")
    if not isinstance(reference, str) or not reference:
        return
    folder = Path() if source == TEXT_SOURCE else Path(source).parent
    try:
        read_robot_description(reference, folder)
    except RobotDescriptionError as error:
        collector.add(("robot_description",), str(error))
