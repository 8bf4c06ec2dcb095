"""Joints that mimic others in a robot description: what each follows in the end, and how."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import NamedTuple

from controlit_ros.errors import ControlItError, did_you_mean, show
from controlit_ros.xml_numbers import xml_numbers

MANY_DOFS = frozenset({"floating", "planar"})
_DEFAULTS = {"multiplier": 1.0, "offset": 0.0}


class MimicError(ControlItError):
    """A joint mimics what it cannot."""


class Mimic(NamedTuple):
    """A joint that follows another: `slave = ratio * master + offset` [rad or m]."""

    slave: str
    master: str
    ratio: float
    offset: float


class Mimics(NamedTuple):
    """What the joints of a robot mimic.

    Attributes:
        found: In the order of the description; no master is a slave.
        wrong: What is written and cannot be; such joints mimic nothing.
    """

    found: tuple[Mimic, ...]
    wrong: tuple[str, ...]


def mimics(robot: ET.Element, is_apart: Callable[[str], bool] = lambda _: False) -> Mimics:
    """Return what the moving joints of a robot mimic.

    Of a joint that mimics one that mimics another, `c = r2 b + o2` and `b = r1 a + o1`, the master
    is the last of the chain: `c = r2 r1 a + r2 o1 + o2`.

    Args:
        robot: The description's root.
        is_apart: Tells of a joint's name that it mimics nothing, whatever is written.
    """
    joints = {joint.get("name", ""): joint for joint in robot.findall("joint")}
    direct: dict[str, Mimic] = {}
    wrong: list[str] = []
    for name, joint in joints.items():
        element = joint.find("mimic")
        if element is None or joint.get("type") == "fixed" or is_apart(name):
            continue
        try:
            direct[name] = _direct(name, joint, element, joints)
        except MimicError as error:
            wrong.append(str(error))
    for circle in _circles(direct):
        wrong.append(f"the joints {' -> '.join(circle)} mimic each other in a circle")
        for name in circle:
            direct.pop(name, None)
    return Mimics(tuple(_resolved(mimic, direct) for mimic in direct.values()), tuple(wrong))


def _direct(
    name: str, joint: ET.Element, element: ET.Element, joints: dict[str, ET.Element]
) -> Mimic:
    master = element.get("joint", "")
    if master not in joints:
        hint = did_you_mean(master, joints)
        raise MimicError(f"joint {name!r} mimics {master!r}, expected a joint of the robot{hint}")
    if MANY_DOFS.intersection((joint.get("type"), joints[master].get("type"))):
        raise MimicError(
            f"joint {name!r} mimics {master!r}, expected both to have one degree of freedom"
        )
    numbers = (_number(name, element, key, value) for key, value in _DEFAULTS.items())
    return Mimic(name, master, *numbers)


def _number(name: str, element: ET.Element, key: str, default: float) -> float:
    text = element.get(key)
    if text is None:
        return default
    numbers = xml_numbers(text)
    if len(numbers) != 1:
        raise MimicError(
            f"joint {name!r}: found the {key} {show(text)} of mimic, expected a finite number"
        )
    return numbers[0]


def _circles(direct: dict[str, Mimic]) -> list[list[str]]:
    """Return the circles, each beginning and ending with the same joint."""
    circles: list[list[str]] = []
    seen: set[str] = set()
    for start in direct:
        way: list[str] = []
        name = start
        while name in direct and name not in seen:
            seen.add(name)
            way.append(name)
            name = direct[name].master
        if name in way:
            circles.append([*way[way.index(name) :], name])
    return circles


def _resolved(mimic: Mimic, direct: dict[str, Mimic]) -> Mimic:
    slave, master, ratio, offset = mimic
    while master in direct:
        _, upper, upper_ratio, upper_offset = direct[master]
        master, ratio, offset = upper, ratio * upper_ratio, ratio * upper_offset + offset
    return Mimic(slave, master, ratio, offset)
