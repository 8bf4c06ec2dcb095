"""Joints that mimic others become coactuations, as if the configuration had stated them."""

import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any
from xml.etree import ElementTree as ET

from controlit_ros.configuration.location import KeyPath, Location
from controlit_ros.configuration.sections import NAMED
from controlit_ros.configuration.unchecked import entries, section_of, texts
from controlit_ros.mimic_joints import Mimic, mimics
from controlit_ros.model.urdf_document import urdf_tree

SWITCH = "mimic_joints"
"""Parameter that says whether there are such constraints."""

SUFFIX = "_mimics"
"""What the name of such a constraint has after that of the master."""

_MOVING = ("revolute", "continuous", "prismatic")
_NO_FOLLOWER = ("name", "type", "master", "body")


def add_mimic_constraints(
    data: dict[str, Any], urdf: str, locations: dict[KeyPath, Location]
) -> list[str]:
    """Declare a Coactuation for each joint that others mimic; return warnings.

    Joints that a constraint, `locked_joints` or `passive_joints` name mimic nothing. What is
    declared holds from the start unless `constraint_set` says something else about it.

    Args:
        data: Sections of the configuration, not yet validated; changed.
        urdf: Text of the robot description.
        locations: Where entries stand; changed.
    """
    if section_of(data, "parameters").get(SWITCH, True) is not True:
        return []
    listed = [data.setdefault(section, []) for section in ("constraints", "constraint_set")]
    if not all(isinstance(entry, list) for entry in listed):
        return []  # told elsewhere
    robot = urdf_tree(urdf)
    found, wrong = mimics(robot, apart_from_mimics(data))
    place = locations.get(("robot_description",), Location(1, 1))
    taken = {str(entry.get("name")) for _, entry in _named(data)}
    stated = {str(entry.get("name")) for _, entry in entries(data, "constraint_set")}
    for master, followers in _by_master(robot, data, found).items():
        name = _name(master, taken)
        taken.add(name)
        added: dict[str, Any] = {
            "name": name,
            "type": "Coactuation",
            "master": master,
            "slave": [mimic.slave for mimic in followers],
            "ratio": [mimic.ratio for mimic in followers],
            "offset": [mimic.offset for mimic in followers],
        }
        constraints, constraint_set = listed
        locations["constraints", len(constraints)] = place
        constraints.append(added)
        if name not in stated:
            locations["constraint_set", len(constraint_set)] = place
            constraint_set.append({"name": name})
    return [
        f"{place.line}:{place.column}: robot_description: {text}: it moves by itself; expected a "
        "Coactuation, or the joint in passive_joints or locked_joints"
        for text in wrong
    ]


def apart_from_mimics(data: dict[str, Any]) -> Callable[[str], bool]:
    """Return what tells of a joint that the configuration itself says how it moves."""
    parameters = section_of(data, "parameters")
    names = {
        name for key in ("locked_joints", "passive_joints") for name in texts(parameters.get(key))
    }
    for _, entry in entries(data, "constraints"):
        for key, value in entry.items():
            if key not in _NO_FOLLOWER:
                names.update(texts(value))
    return lambda joint: any(fnmatchcase(joint, name) for name in names)


def mimics_what_is_fixed(urdf: str) -> bool:
    """Tell whether a joint mimics one that is fixed by the robot description itself."""
    robot = urdf_tree(urdf)
    fixed = {j.get("name", "") for j in robot.findall("joint") if j.get("type") == "fixed"}
    return any(mimic.master in fixed for mimic in mimics(robot).found)


def moving(robot: ET.Element, data: Mapping[str, Any]) -> set[str]:
    """Return the joints of a robot description that are neither fixed nor locked."""
    locked = texts(section_of(data, "parameters").get("locked_joints"))
    return {
        name
        for joint in robot.findall("joint")
        if joint.get("type") in _MOVING
        for name in [joint.get("name", "")]
        if not any(fnmatchcase(name, pattern) for pattern in locked)
    }


def _by_master(
    robot: ET.Element, data: Mapping[str, Any], found: tuple[Mimic, ...]
) -> dict[str, list[Mimic]]:
    """Sort by masters that move; the followers of others are locked with them."""
    masters = moving(robot, data)
    sorted_ones: dict[str, list[Mimic]] = {}
    for mimic in found:
        if mimic.master in masters:
            sorted_ones.setdefault(mimic.master, []).append(mimic)
    return sorted_ones


def _named(data: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for section in NAMED:
        yield from entries(data, section)


def _name(master: str, taken: set[Any]) -> str:
    """Return a name as ROS wants it that nothing else has."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", master).strip("_")
    plain = plain if plain[:1].isalpha() else f"joint_{plain}".rstrip("_")
    name, number = plain + SUFFIX, 2
    while name in taken:
        name, number = f"{plain}{SUFFIX}_{number}", number + 1
    return name
