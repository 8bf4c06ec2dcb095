"""What is wrong with a URDF, before anybody takes it for less than it says.

The libraries that read URDFs print what they do not understand and go on without it: a link whose
inertia does not parse weighs nothing, an axis of length zero turns about anything.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from controlit_ros.errors import did_you_mean, show
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.xml_element import XmlElement, XmlError, read_xml
from controlit_ros.xml_numbers import xml_numbers

MAX_LINKS = 1000  # the largest humanoids have two hundred; libraries recurse over them
MAX_LENGTH = 1e4  # [m] of a placement or a shape
MAX_ANGLE = 1e3  # [rad] of a placement
MAX_MASS = 1e6  # [kg] of a link
MAX_INERTIA = 1e9  # [kg m²] of a link
MAX_LIMIT = 1e20  # [SI] of joints; real descriptions write 1e16 for none
SMALLEST = 1e-300  # [-] numbers between it and zero are no numbers to every library
AXIS_LENGTHS = (1e-3, 1e3)  # [-] a direction is read from, one is meant

_MOVING = ("revolute", "continuous", "prismatic")
_TYPES = (*_MOVING, "fixed", "floating", "planar")
_LIMITED = ("revolute", "prismatic")


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


class UrdfError(ModelError):
    """A robot description is not sound.

    Attributes:
        problems: Everything that is wrong with it.
    """

    def __init__(self, problems: Sequence[UrdfProblem]) -> None:
        super().__init__("the robot description is no valid URDF: " + "; ".join(map(str, problems)))
        self.problems = tuple(problems)


class _UrdfNumbers(NamedTuple):
    """What an attribute holds: so many numbers from `lower` to `upper`."""

    upper: float
    lower: float = -math.inf
    size: int = 1
    is_required: bool = False

    @property
    def expected(self) -> str:
        what = "a number" if self.size == 1 else f"{self.size} numbers"
        lower = max(self.lower, -self.upper)
        return f"{what} from {lower:g} to {self.upper:g}"


def _needed(upper: float, lower: float = -math.inf, size: int = 1) -> _UrdfNumbers:
    return _UrdfNumbers(upper, lower, size, is_required=True)


_PLACE = {"xyz": _UrdfNumbers(MAX_LENGTH, size=3), "rpy": _UrdfNumbers(MAX_ANGLE, size=3)}
_SIZE = _needed(MAX_LENGTH, 0.0)
_INERTIA = _needed(MAX_INERTIA)
_ANY = _UrdfNumbers(MAX_LIMIT)
_POSITIVE = _UrdfNumbers(MAX_LIMIT, 0.0)

_ATTRIBUTES: Mapping[str, Mapping[str, _UrdfNumbers]] = {
    "origin": _PLACE,
    "mass": {"value": _needed(MAX_MASS)},  # what no body can have is told as a warning
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
    "mesh": {"scale": _UrdfNumbers(MAX_LENGTH, size=3)},
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
"""Elements that mean what URDF says; others are for somebody else."""

_MANY = ("visual", "collision")
_REQUIRED: Mapping[str, Sequence[str]] = {
    "inertial": ("mass", "inertia"),
    "visual": ("geometry",),
    "collision": ("geometry",),
    "joint": ("parent", "child"),
}


def check_urdf(urdf: str) -> None:
    """Refuse the text of a robot description that is not sound.

    Raises:
        UrdfError: It holds everything that is wrong with it.
    """
    problems = urdf_problems(urdf)
    if problems:
        raise UrdfError(problems)


@lru_cache(maxsize=4)
def urdf_problems(urdf: str) -> tuple[UrdfProblem, ...]:
    """Return everything that is wrong with the text of a robot description, in its order."""
    try:
        robot = read_xml(urdf)
    except XmlError as error:
        return (UrdfProblem(error.line, error.reason),)
    if robot.tag != "robot":
        return (UrdfProblem(robot.line, f"found <{robot.tag}>, expected <robot>"),)
    found = [*_elements(robot), *_structure(robot)]
    return tuple(sorted(found, key=lambda problem: problem.line))


def _elements(robot: XmlElement) -> Iterator[UrdfProblem]:
    """Look at links, joints and materials one by one."""
    for element in robot.children:
        if element.tag in ("link", "joint", "material"):
            name = element.attributes.get("name", "")
            about = f"{element.tag} {name!r}"
            if not name.strip():
                yield UrdfProblem(element.line, f"found a {element.tag} without name")
            yield from _inside(element, about)
            if element.tag == "joint":
                yield from _joint(element, about)


def _inside(element: XmlElement, about: str) -> Iterator[UrdfProblem]:
    known = _CHILDREN[element.tag]
    for tag in _REQUIRED.get(element.tag, ()):
        if element.first(tag) is None:
            where = "" if element.tag == "joint" else f": {element.tag}"
            yield UrdfProblem(element.line, f"{about}{where}: <{tag}> is missing")
    if element.tag == "geometry" and not any(child.tag in known for child in element.children):
        shapes = ", ".join(known)
        yield UrdfProblem(element.line, f"{about}: <geometry> without shape, expected {shapes}")
    seen: dict[str, int] = {}
    for child in element.children:
        if child.tag not in known:
            continue
        if child.tag in seen and child.tag not in _MANY:
            text = f"{about}: <{child.tag}> stands twice, first in line {seen[child.tag]}"
            yield UrdfProblem(child.line, text)
        seen.setdefault(child.tag, child.line)
        yield from _numbers(child, about)
        if child.tag in _CHILDREN:
            yield from _inside(child, about)


def _numbers(element: XmlElement, about: str) -> Iterator[UrdfProblem]:
    for name, rule in _ATTRIBUTES.get(element.tag, {}).items():
        text = element.attributes.get(name)
        where = f"{about}: {element.tag} {name}"
        if text is None:
            if rule.is_required:
                problem = f"{where} is missing, expected {rule.expected}"
                yield UrdfProblem(element.line, problem)
        elif not _fits(text, rule):
            problem = f"{where}: found {show(text)}, expected {rule.expected}"
            yield UrdfProblem(element.line, problem)


def _fits(text: str, rule: _UrdfNumbers) -> bool:
    values = xml_numbers(text)
    return len(values) == rule.size and all(
        max(rule.lower, -rule.upper) <= value <= rule.upper
        and (value == 0.0 or abs(value) >= SMALLEST)
        for value in values
    )


def _joint(joint: XmlElement, about: str) -> Iterator[UrdfProblem]:
    kind = joint.attributes.get("type", "")
    if kind not in _TYPES:
        hint = did_you_mean(kind, _TYPES)
        yield UrdfProblem(joint.line, f"{about}: found the type {kind!r}{hint}")
    axis, limit, dynamics = (joint.first(tag) for tag in ("axis", "limit", "dynamics"))
    if kind in _MOVING and axis is not None:
        yield from _axis(axis, about)
    if kind in _LIMITED and limit is None:
        yield UrdfProblem(joint.line, f"{about} is {kind}: <limit> is missing")
    if kind in _LIMITED and limit is not None:
        yield from _limit(limit, about)

    if dynamics is not None and not {"damping", "friction"} & set(dynamics.attributes):
        yield UrdfProblem(dynamics.line, f"{about}: <dynamics> without damping and friction")


def _axis(axis: XmlElement, about: str) -> Iterator[UrdfProblem]:
    text = axis.attributes.get("xyz", "")
    if _fits(text, _ATTRIBUTES["axis"]["xyz"]):
        length = math.hypot(*map(float, text.split()))
        shortest, longest = AXIS_LENGTHS
        if not shortest <= length <= longest:
            expected = "expected a direction of length 1"
            yield UrdfProblem(axis.line, f"{about}: axis xyz: found {text!r}, {expected}")


def _limit(limit: XmlElement, about: str) -> Iterator[UrdfProblem]:
    texts = [limit.attributes.get(name, "0") for name in ("lower", "upper")]
    if all(_fits(text, _ANY) for text in texts) and float(texts[0]) > float(texts[1]):
        found = f"{about}: limit: found {texts[0]} to {texts[1]}"
        yield UrdfProblem(limit.line, f"{found}, expected the lower one first")


def _structure(robot: XmlElement) -> Iterator[UrdfProblem]:
    """Look how links and joints hang together: as one tree."""
    links = {link.attributes.get("name", ""): link for link in robot.all("link")}
    joints = list(robot.all("joint"))
    if not links:
        yield UrdfProblem(robot.line, "found no link, expected one at least")
        return
    if len(links) > MAX_LINKS:
        yield UrdfProblem(robot.line, f"found {len(links)} links, expected at most {MAX_LINKS}")
    for tag in ("link", "joint"):
        yield from _names(robot, tag)
    known = set(links)
    parents: dict[str, str] = {}
    for joint in joints:
        about = f"joint {joint.attributes.get('name', '')!r}"
        ends = {tag: joint.first(tag) for tag in ("parent", "child")}
        names = {}
        for tag, end in ends.items():
            if end is not None:
                names[tag] = end.attributes.get("link", "")
                if names[tag] not in known:
                    hint = did_you_mean(names[tag], known)
                    yield UrdfProblem(end.line, f"{about}: unknown {tag} {names[tag]!r}{hint}")
        if len(names) < len(ends):
            continue
        if names["child"] in parents:
            text = f"{about}: the link {names['child']!r} hangs from another joint already"
            yield UrdfProblem(joint.line, text)
        parents.setdefault(names["child"], names["parent"])
    yield from _roots(links, parents)


def _names(robot: XmlElement, tag: str) -> Iterator[UrdfProblem]:
    seen: dict[str, int] = {}
    for element in robot.all(tag):
        name = element.attributes.get("name", "")
        if name in seen:
            text = f"the {tag} {name!r} stands twice, first in line {seen[name]}"
            yield UrdfProblem(element.line, text)
        seen.setdefault(name, element.line)


def _roots(links: Mapping[str, XmlElement], parents: Mapping[str, str]) -> Iterator[UrdfProblem]:
    """Find links that hang from nothing, of which there is one, and those that hang in a ring."""
    roots = [name for name in links if name not in parents]
    for root in roots[1:]:
        text = f"link {root!r} hangs from no joint, nor does {roots[0]!r}: expected one root"
        yield UrdfProblem(links[root].line, text)
    sound = set(roots)
    for name in links:
        way = [name]
        while way[-1] in parents and way[-1] not in sound and len(way) <= len(links):
            way.append(parents[way[-1]])
        if len(way) > len(links):
            yield UrdfProblem(links[name].line, f"link {name!r} hangs in a ring of joints")
            return
        sound.update(way)
