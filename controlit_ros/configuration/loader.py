"""Loading configurations from files and texts."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from controlit_ros.configuration.configuration import TEXT_SOURCE, Configuration
from controlit_ros.configuration.cross_checks import check_across
from controlit_ros.configuration.location import KeyPath, Location, Origin, format_path
from controlit_ros.configuration.mimic_constraints import add_mimic_constraints
from controlit_ros.configuration.postures import name_postures
from controlit_ros.configuration.problem import ConfigurationError, Problem
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import (
    DescriptionFile,
    RobotDescriptionError,
    read_robot_description,
)
from controlit_ros.configuration.sections import ENTRY_NAMES, LISTINGS, PARTS
from controlit_ros.configuration.unchecked import entries
from controlit_ros.configuration.validation import validate
from controlit_ros.configuration.yaml_reader import MAX_LENGTH, read_yaml
from controlit_ros.errors import did_you_mean, show
from controlit_ros.model.urdf_document import read_urdf, urdf_tree
from controlit_ros.model.xml_element import XmlError
from controlit_ros.regular_file import NotTextError, UnreadableFileError, read_text
from controlit_ros.resource import ResourceError, resolve_resource

LONGEST_CHARACTER = 4  # [bytes] of UTF-8
_TOP_LEVEL = ("name", "robot_description", "semantic_description")
_MAPS = ("parameters", *PARTS)
_OVERRIDABLE = (*_MAPS, "modes")


def load_configuration(
    path_or_text: str | Path, overrides: Mapping[str, Any] | None = None
) -> Configuration:
    """Load and check a configuration without building the robot or any plugin.

    Args:
        path_or_text: Path of a YAML file, or `package://<package>/<path>`; a `str` with a line
            break is the text itself.
        overrides: Values that replace those of the file, by parameter name as in
            `servo_frequency`, `name`, `robot_description`, or with the section as in
            `robot_interface.port`, or with the list and the name of the entry as in
            `tasks.Posture.kp`. Keys of maps follow after more points, as in
            `tasks.Posture.goal_position.elbow`. A section may be a map of its keys, or of its
            entries by name: `{"tasks": {"Posture": {"kp": 9}}}`.

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
    warnings = _list_the_unlisted(data, locations)
    overrides = overrides or {}
    data |= {key: _plain(overrides[key]) for key in _TOP_LEVEL if key in overrides}
    robot, unreadable = _robot_description(data, source)
    named = () if robot is None else urdf_tree(robot.urdf)
    names = {element.get("name", "") for element in named}
    overridden, unknown = _override(data, overrides, locations, names)
    problems += unknown
    if robot is not None:
        warnings += _notes(robot, locations)
        warnings += add_mimic_constraints(data, robot.urdf, locations)
    collector = ProblemCollector(Origin(source, locations, overridden, tuple(warnings), text))
    collector.problems += problems
    if robot is not None:
        name_postures(data, robot, _folder(source), collector)
    configuration = validate(data, collector)
    check_across(data, collector)
    if unreadable:
        collector.add(("robot_description",), unreadable)
    collector.raise_if_any()
    if configuration is None:  # pragma: no cover - validate notes a problem when it fails
        raise ConfigurationError(source, [Problem(1, 1, "", "cannot be validated")])
    return configuration


def changed(configuration: Configuration, overrides: Mapping[str, Any]) -> Configuration:
    """Return a configuration with other values, checked again; no file is read.

    Args:
        configuration: As it was loaded; it stays what it is.
        overrides: As for `load_configuration`, but of sections and entries only.

    Raises:
        ConfigurationError: It cannot be used like that; it tells everything that is wrong.
    """
    origin = configuration.collector().origin
    data = configuration.model_dump(mode="json")
    overridden, unknown = _override(data, overrides, origin.locations)
    collector = ProblemCollector(origin._replace(overridden=origin.overridden | overridden))
    collector.problems += unknown
    found = validate(data, collector)
    check_across(data, collector)
    collector.raise_if_any()
    assert found is not None  # or there is a problem
    return found


def _read(path_or_text: str | Path) -> tuple[str, str]:
    if isinstance(path_or_text, str) and ("\n" in path_or_text or not path_or_text.strip()):
        return TEXT_SOURCE, path_or_text
    source = str(path_or_text)
    try:
        if "://" in source:
            source = str(resolve_resource(source, Path()))
        return source, read_text(source, LONGEST_CHARACTER * MAX_LENGTH)
    except NotTextError as error:
        problem = Problem(error.line, 1, "", f"{error}, expected a YAML file")
    except (UnreadableFileError, ResourceError) as error:
        problem = Problem(1, 1, "", str(error))
    raise ConfigurationError(source, [problem])


def _fill_empty(data: dict[str, Any]) -> None:
    """Take a section whose entries are all commented out for an empty one."""
    for sections, kind in ((_MAPS, dict), (ENTRY_NAMES, list)):
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


def _override(
    data: dict[str, Any],
    overrides: Mapping[str, Any],
    locations: Mapping[KeyPath, Location],
    names: Collection[str] = (),
) -> tuple[frozenset[KeyPath], list[Problem]]:
    """Replace values; return where, and what of it cannot be found.

    Args:
        data: Sections of the configuration; changed.
        overrides: As for `load_configuration`.
        locations: Where entries stand.
        names: Of the robot's joints and links, which may have points.
    """
    overridden: set[KeyPath] = set()
    problems = []
    for name, value in _by_full_key(overrides):
        plain = _plain(value)
        section, _, key = name.partition(".")
        holder: Any
        path: KeyPath
        if name in _TOP_LEVEL:
            data[name] = plain
            overridden.add((name,))
            continue
        if section in ENTRY_NAMES and key:
            entry_name, _, key = key.partition(".")
            index, problem = _entry(data, section, entry_name, key)
            if problem:
                location = locations.get((section,), Location(1, 1))
                problems.append(Problem(*location, name, problem))
                continue
            holder, path = data[section][index], (section, index, key)
        else:
            if name in (*_OVERRIDABLE, *ENTRY_NAMES):
                location = locations.get((name,), Location(1, 1))
                keys = "{NAME: {KEY: value}}" if name in ENTRY_NAMES else "{KEY: value}"
                message = f"found {show(plain)} in place of the section, expected a map {keys}"
                problems.append(Problem(*location, name, message))
                continue
            is_in_section = section in _OVERRIDABLE and key
            section, key = (section, key) if is_in_section else ("parameters", name)
            holder = data.get(section)
            if holder is None:
                holder = data[section] = {}
            path = (section, key)
        if isinstance(holder, dict):  # otherwise the section itself is reported
            key, _, inner = key.partition(".")
            try:
                holder[key] = _replaced(holder.get(key), inner, plain, names)
            except TypeError as error:
                location = locations.get((*path[:-1], key), Location(1, 1))
                problems.append(Problem(*location, name, str(error)))
                continue
            overridden.add((*path[:-1], key))
    return frozenset(overridden), problems


def _split(key: str, known: Collection[str]) -> tuple[str, str]:
    """Split the first name off a dotted key: the longest that is known, or up to the first point.

    A key that begins like known names with points is one name, so that errors show the nearest.
    """
    first = key.partition(".")[0]
    found = [name for name in known if f"{key}.".startswith(f"{name}.")]
    is_alike = any(name.startswith(f"{first}.") for name in known)
    name = max(found, key=len, default=key if is_alike else first)
    return name, key[len(name) + 1 :]


def _by_full_key(overrides: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield overrides, those of a section that is given as a map one by one."""
    for name, value in overrides.items():
        section, _, entry = name.partition(".")
        is_entry = section in ENTRY_NAMES and entry and "." not in entry
        depth = 2 if name in ENTRY_NAMES else int(name in _OVERRIDABLE or bool(is_entry))
        yield from _leaves(name, value, depth)


def _leaves(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the values of nested maps by full key, down to a depth."""
    if not depth or not isinstance(value, Mapping):
        yield name, value
        return
    for key, inner in value.items():
        yield from _leaves(f"{name}.{key}", inner, depth - 1)


def _replaced(old: Any, key: str, value: Any, names: Collection[str]) -> Any:
    """Return a value in which what stands under the key is replaced; the old one stays, too.

    Raises:
        TypeError: There is no map to put a key in.
    """
    if not key:
        return value
    first, rest = _split(key, (*(old if isinstance(old, dict) else ()), *names))
    if not isinstance(old, dict | None):
        raise TypeError(f"found {show(old)}, expected a map to set {first!r} in")
    inner = old or {}
    return {**inner, first: _replaced(inner.get(first), rest, value, names)}


def _entry(data: dict[str, Any], section: str, name: str, key: str) -> tuple[int, str]:
    """Find the entry of a list by its name; return its position and what is wrong."""
    names = {str(entry.get(ENTRY_NAMES[section])): i for i, entry in entries(data, section)}
    if name not in names:
        kind = ENTRY_NAMES[section]
        return (
            0,
            f"there is no entry of {section} with the {kind} {name!r}{did_you_mean(name, names)}",
        )
    if not key:
        return 0, f"found {section}.{name}, expected {section}.{name}.KEY"
    return names[name], ""


def _plain(value: Any) -> Any:
    """Turn arrays, as ROS parameters come, into lists and numbers of Python."""
    if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def _list_the_unlisted(data: dict[str, Any], locations: dict[KeyPath, Location]) -> list[str]:
    """Disable what is declared but takes no part, and tell."""
    warnings = []
    for declaring, listing in LISTINGS.items():
        listed = data.setdefault(listing, [])
        if not isinstance(listed, list):
            continue
        names = {str(entry.get("name")) for _, entry in entries(data, listing)}
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


def _robot_description(data: dict[str, Any], source: str) -> tuple[DescriptionFile | None, str]:
    """Return the robot description, or None and what keeps it from being read."""
    reference = data.get("robot_description")
    if not isinstance(reference, str) or not reference:
        return None, ""
    try:
        return read_robot_description(reference, _folder(source)), ""
    except RobotDescriptionError as error:
        return None, str(error)


def _notes(robot: DescriptionFile, locations: Mapping[KeyPath, Location]) -> list[str]:
    """Return what is ignored of a robot description, or modelled by other joints."""
    try:
        notes = read_urdf(robot.urdf).notes
    except XmlError:
        return []  # reported where the robot is built
    place = locations.get(("robot_description",), Location(1, 1))
    name = f"{robot.path.name} " if robot.path else ""
    return [f"{place.line}:{place.column}: robot_description: {name}{note}" for note in notes]


def _folder(source: str) -> Path:
    """Return where relative paths begin."""
    return Path() if source == TEXT_SOURCE else Path(source).parent
