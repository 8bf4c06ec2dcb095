"""What a robot description says and the controller will not do, told before somebody wonders."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any
from xml.etree import ElementTree as ET

from controlit_ros.configuration.cross_checks import entries


def robot_warnings(data: dict[str, Any], urdf: str) -> Iterator[str]:
    """Yield warnings about a robot and a configuration that do not go well together.

    Args:
        data: Sections of the configuration, not yet validated.
        urdf: Text of the robot description.
    """
    if data.get("constraint_set") == []:
        yield (
            "no constraint holds the robot: its base floats; a robot that is bolted down has a "
            "FlatContact on its root link"
        )
    try:
        robot = ET.fromstring(urdf)  # noqa: S314 - the user's own robot
    except (ET.ParseError, ValueError):  # the model tells, better
        return
    known = _joints_that_are_cared_for(data)
    for joint in robot.iter("joint"):
        mimic = None if joint.get("type") == "fixed" else joint.find("mimic")
        name = joint.get("name", "")
        if mimic is not None and not any(fnmatchcase(name, pattern) for pattern in known):
            yield (
                f"joint {name!r} mimics {mimic.get('joint', '')!r} in the robot description, "
                "which is not read: it moves by itself; expected a Coactuation, or the joint in "
                "locked_joints"
            )


def _joints_that_are_cared_for(data: dict[str, Any]) -> set[str]:
    """Return names and patterns of joints that the configuration says something about."""
    parameters = data.get("parameters")
    found: set[str] = set()
    if isinstance(parameters, dict):
        for key in ("locked_joints", "passive_joints"):
            found.update(_texts(parameters.get(key)))
    for _, entry in entries(data, "constraints"):
        for value in entry.values():
            found.update(_texts(value))
    return found


def _texts(value: Any) -> Iterator[str]:
    for text in value if isinstance(value, list | dict) else [value]:
        if isinstance(text, str):
            yield text
