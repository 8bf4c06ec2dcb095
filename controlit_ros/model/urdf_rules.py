"""What the elements of a URDF hold, and by which types of joints they are used."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from controlit_ros.errors import show
from controlit_ros.model.xml_element import line_of
from controlit_ros.xml_numbers import xml_numbers

MAX_LENGTH = 1e4  # [m] of a placement or a shape
MAX_ANGLE = 1e3  # [rad] of a placement
MAX_MASS = 1e6  # [kg] of a link
MAX_INERTIA = 1e9  # [kg m²] of a link
MAX_LIMIT = 1e20  # [SI] of joints; real descriptions write 1e16 for none
SMALLEST = 1e-300  # [-] numbers between it and zero are no numbers to every library
AXIS_LENGTHS = (1e-3, 1e3)  # [-] a direction is read from, one is meant


MOVING = ("revolute", "continuous", "prismatic")
LIMITED = ("revolute", "prismatic")
TYPES = (*MOVING, "fixed", "floating", "planar")


class UrdfProblem(NamedTuple):
    """One mistake.

    Attributes:
        line: Where it stands in the text, counted from 1.
        text: What was found where, and what was expected.
    """

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class UrdfNumbers(NamedTuple):
    """What an attribute holds: so many numbers from `lower` to `upper`."""

    upper: float
    lower: float = -math.inf
    size: int = 1
    is_required: bool = False

    @property
    def expected(self) -> str:
        """What is expected, for messages."""
        what = "a number" if self.size == 1 else f"{self.size} numbers"
        lower = max(self.lower, -self.upper)
        return f"{what} from {lower:g} to {self.upper:g}"


def _needed(upper: float, lower: float = -math.inf, size: int = 1) -> UrdfNumbers:
    return UrdfNumbers(upper, lower, size, is_required=True)


_PLACE = {"xyz": UrdfNumbers(MAX_LENGTH, size=3), "rpy": UrdfNumbers(MAX_ANGLE, size=3)}
_SIZE = _needed(MAX_LENGTH, 0.0)
_INERTIA = _needed(MAX_INERTIA)
_ANY = UrdfNumbers(MAX_LIMIT)
_POSITIVE = UrdfNumbers(MAX_LIMIT, 0.0)

ATTRIBUTES: Mapping[str, Mapping[str, UrdfNumbers]] = {
    "origin": _PLACE,
    "mass": {"value": _needed(MAX_MASS)},  # what no body can have is a warning
    "inertia": dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), _INERTIA),
    "axis": {"xyz": _needed(AXIS_LENGTHS[1], size=3)},
    "limit": {
        "lower": _ANY,
        "upper": _ANY,
        "effort": _needed(MAX_LIMIT, 0.0),
        "velocity": _needed(MAX_LIMIT, 0.0),
    },
    "dynamics": {"damping": _POSITIVE, "friction": _POSITIVE},
    "mimic": {"multiplier": _ANY, "offset": _ANY},
    "safety_controller": {
        "soft_lower_limit": _ANY,
        "soft_upper_limit": _ANY,
        "k_position": _ANY,
        "k_velocity": _needed(MAX_LIMIT),
    },
    "calibration": {"rising": _ANY, "falling": _ANY},
    "box": {"size": _needed(MAX_LENGTH, 0.0, 3)},
    "cylinder": {"radius": _SIZE, "length": _SIZE},
    "capsule": {"radius": _SIZE, "length": _SIZE},
    "sphere": {"radius": _SIZE},
    "mesh": {"scale": UrdfNumbers(MAX_LENGTH, size=3)},
    "color": {"rgba": _needed(1.0, 0.0, 4)},
}
"""Numbers by element and attribute, wherever that element means what URDF says."""

_CHILDREN: Mapping[str, Sequence[str]] = {
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry"),
    "geometry": ("box", "cylinder", "capsule", "sphere", "mesh"),
    "material": ("color",),
    "joint": (
        "origin",
        "axis",
        "limit",
        "dynamics",
        "mimic",
        "safety_controller",
        "calibration",
        "parent",
        "child",
    ),
}
"""Elements of URDF; others are extensions."""

_WHOLE: Mapping[str, Sequence[str]] = dict.fromkeys(
    ("axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"), ()
)
UNUSED: Mapping[str, Mapping[str, Sequence[str]]] = {
    "fixed": _WHOLE,
    "floating": _WHOLE,
    "planar": {tag: names for tag, names in _WHOLE.items() if tag not in ("axis", "limit")}
    | {"limit": ("lower", "upper")},
    "continuous": {"limit": ("lower", "upper")},
}
"""Attributes without meaning by type of joint and element; no names: the whole element."""

_MANY = ("visual", "collision")
_REQUIRED: Mapping[str, Sequence[str]] = {
    "inertial": ("mass", "inertia"),
    "visual": ("geometry",),
    "collision": ("geometry",),
    "joint": ("parent", "child"),
}


def element_problems(element: ET.Element, about: str) -> Iterator[UrdfProblem]:
    """Yield the mistakes in the children of an element of a link, joint or material."""
    known = _CHILDREN[element.tag]
    for tag in _REQUIRED.get(element.tag, ()):
        if element.find(tag) is None:
            where = "" if element.tag == "joint" else f": {element.tag}"
            yield UrdfProblem(line_of(element), f"{about}{where}: <{tag}> is missing")
    if element.tag == "geometry" and not any(child.tag in known for child in element):
        shapes = ", ".join(known)
        yield UrdfProblem(line_of(element), f"{about}: <geometry> without shape, expected {shapes}")
    seen: dict[str, int] = {}
    for child in element:
        if child.tag not in known:
            continue
        if child.tag in seen and child.tag not in _MANY:
            text = f"{about}: <{child.tag}> stands twice, first in line {seen[child.tag]}"
            yield UrdfProblem(line_of(child), text)
        seen.setdefault(child.tag, line_of(child))
        yield from attribute_problems(child, about)
        if child.tag in _CHILDREN:
            yield from element_problems(child, about)


def attribute_problems(
    element: ET.Element, about: str, names: Collection[str] = ()
) -> Iterator[UrdfProblem]:
    """Yield the mistakes in the attributes of an element.

    Args:
        element: Of a link, joint or material.
        about: Which of them.
        names: Of the attributes in question; empty: all.
    """
    line = line_of(element)
    for name, rule in ATTRIBUTES.get(element.tag, {}).items():
        text = element.get(name)
        where = f"{about}: {element.tag} {name}"
        if names and name not in names:
            continue
        if text is None:
            if rule.is_required:
                yield UrdfProblem(line, f"{where} is missing, expected {rule.expected}")
        elif not (fits(text, rule) or is_unprocessed(text)):
            yield UrdfProblem(line, f"{where}: found {show(text)}, expected {rule.expected}")
    if element.tag == "dynamics" and not {"damping", "friction"} & set(element.attrib):
        yield UrdfProblem(line, f"{about}: <dynamics> without damping and friction")
    if element.tag == "mimic" and not element.get("joint"):
        yield UrdfProblem(line, f"{about}: mimic joint is missing, expected the name of a joint")


def is_unprocessed(text: str) -> bool:
    """Check whether an attribute holds an expression of xacro, which `check_urdf` reports."""
    return "${" in text or "$(" in text


def fits(text: str, rule: UrdfNumbers) -> bool:
    """Check whether a text holds the numbers that an attribute expects."""
    values = xml_numbers(text)
    return len(values) == rule.size and all(
        max(rule.lower, -rule.upper) <= value <= rule.upper
        and (value == 0.0 or abs(value) >= SMALLEST)
        for value in values
    )
