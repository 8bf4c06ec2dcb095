"""What is wrong with a URDF, before anybody takes it for less than it says.

The libraries that read URDFs print what they do not understand and go on without it: a link whose
inertia does not parse weighs nothing, an axis of length zero turns about anything.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from xml.etree import ElementTree as ET

from controlit_ros.errors import did_you_mean, show
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.urdf_document import read_urdf
from controlit_ros.model.urdf_rules import (
    ATTRIBUTES,
    AXIS_LENGTHS,
    LIMITED,
    MOVING,
    TYPES,
    UrdfProblem,
    element_problems,
    fits,
    is_unprocessed,
)
from controlit_ros.model.xml_element import XmlError, line_of

MAX_LINKS = 1000  # the largest humanoids have two hundred; libraries recurse over them
VERSIONS = ("1.0", "1.1", "1.2")  # of URDF, that urdfdom reads


class UrdfError(ModelError):
    """A robot description is not sound.

    Attributes:
        problems: Everything that is wrong with it.
    """

    def __init__(self, problems: Sequence[UrdfProblem]) -> None:
        super().__init__("the robot description is no valid URDF: " + "; ".join(map(str, problems)))
        self.problems = tuple(problems)


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
        document = read_urdf(urdf)
    except XmlError as error:
        return (UrdfProblem(error.line, error.reason),)
    robot = document.written
    if robot.tag != "robot":
        return (UrdfProblem(line_of(robot), f"found <{robot.tag}>, expected <robot>"),)
    found = [*document.problems, *_head(robot), *_elements(robot), *_structure(robot)]
    return tuple(sorted(found, key=lambda problem: problem.line))


def _head(robot: ET.Element) -> Iterator[UrdfProblem]:
    """Check the attributes of the root, without which other programs of ROS read nothing."""
    line = line_of(robot)
    if not robot.get("name", "").strip():
        yield UrdfProblem(line, 'found a robot without name, expected <robot name="...">')
    version = robot.get("version", VERSIONS[0])
    if version not in VERSIONS:
        expected = f"expected one of {', '.join(VERSIONS)}"
        yield UrdfProblem(line, f"robot version: found {show(version)}, {expected}")


def _elements(robot: ET.Element) -> Iterator[UrdfProblem]:
    """Look at links, joints and materials one by one."""
    for element in robot:
        if element.tag in ("link", "joint", "material"):
            name = element.get("name", "")
            about = f"{element.tag} {name!r}"
            if not name.strip():
                yield UrdfProblem(line_of(element), f"found a {element.tag} without name")
            yield from element_problems(element, about)
            yield from _unprocessed(element, about)
            if element.tag == "joint":
                yield from _joint(element, about)


def _unprocessed(element: ET.Element, about: str) -> Iterator[UrdfProblem]:
    """Find what only xacro understands."""
    for child in element.iter():
        for name, text in child.attrib.items():
            if is_unprocessed(text):
                found = f"{about}: {child.tag} {name}: found {show(text)}"
                expected = "expected a URDF: xacro FILE > robot.urdf"
                yield UrdfProblem(line_of(child), f"{found}, {expected}")


def _joint(joint: ET.Element, about: str) -> Iterator[UrdfProblem]:
    kind = joint.get("type", "")
    if kind not in TYPES:
        hint = did_you_mean(kind, TYPES)
        yield UrdfProblem(line_of(joint), f"{about}: found the type {kind!r}{hint}")
    axis, limit = joint.find("axis"), joint.find("limit")
    if kind in (*MOVING, "planar") and axis is not None:
        yield from _axis(axis, about)
    if kind in LIMITED and limit is None:
        yield UrdfProblem(line_of(joint), f"{about} is {kind}: <limit> is missing")
    if kind in LIMITED and limit is not None:
        yield from _limit(limit, about)


def _axis(axis: ET.Element, about: str) -> Iterator[UrdfProblem]:
    text = axis.get("xyz", "")
    if fits(text, ATTRIBUTES["axis"]["xyz"]):
        length = math.hypot(*map(float, text.split()))
        shortest, longest = AXIS_LENGTHS
        if not shortest <= length <= longest:
            expected = "expected a direction of length 1"
            yield UrdfProblem(line_of(axis), f"{about}: axis xyz: found {text!r}, {expected}")


def _limit(limit: ET.Element, about: str) -> Iterator[UrdfProblem]:
    texts = [limit.get(name, "0") for name in ("lower", "upper")]
    if all(fits(text, ATTRIBUTES["limit"]["lower"]) for text in texts) and float(texts[0]) > float(
        texts[1]
    ):
        found = f"{about}: limit: found {texts[0]} to {texts[1]}"
        yield UrdfProblem(line_of(limit), f"{found}, expected the lower one first")


def _structure(robot: ET.Element) -> Iterator[UrdfProblem]:
    """Look how links and joints hang together: as one tree."""
    links = {link.get("name", ""): link for link in robot.findall("link")}
    joints = list(robot.findall("joint"))
    if not links:
        yield UrdfProblem(line_of(robot), "found no link, expected one at least")
        return
    if len(links) > MAX_LINKS:
        yield UrdfProblem(line_of(robot), f"found {len(links)} links, expected at most {MAX_LINKS}")
    for tag in ("link", "joint"):
        yield from _names(robot, tag)
    known = set(links)
    parents: dict[str, str] = {}
    for joint in joints:
        about = f"joint {joint.get('name', '')!r}"
        ends = {tag: joint.find(tag) for tag in ("parent", "child")}
        names = {}
        for tag, end in ends.items():
            if end is not None:
                names[tag] = end.get("link", "")
                if names[tag] not in known:
                    hint = did_you_mean(names[tag], known)
                    yield UrdfProblem(line_of(end), f"{about}: unknown {tag} {names[tag]!r}{hint}")
        if len(names) < len(ends):
            continue
        if names["child"] in parents:
            text = f"{about}: the link {names['child']!r} hangs from another joint already"
            yield UrdfProblem(line_of(joint), text)
        parents.setdefault(names["child"], names["parent"])
    yield from _roots(links, parents)


def _names(robot: ET.Element, tag: str) -> Iterator[UrdfProblem]:
    seen: dict[str, int] = {}
    for element in robot.findall(tag):
        name = element.get("name", "")
        if name in seen:
            text = f"the {tag} {name!r} stands twice, first in line {seen[name]}"
            yield UrdfProblem(line_of(element), text)
        seen.setdefault(name, line_of(element))


def _roots(links: Mapping[str, ET.Element], parents: Mapping[str, str]) -> Iterator[UrdfProblem]:
    """Find links that hang from nothing, of which there is one, and those that hang in a ring."""
    roots = [name for name in links if name not in parents]
    for root in roots[1:]:
        text = f"link {root!r} hangs from no joint, nor does {roots[0]!r}: expected one root"
        yield UrdfProblem(line_of(links[root]), text)
    sound = set(roots)
    for name in links:
        way = [name]
        while way[-1] in parents and way[-1] not in sound and len(way) <= len(links):
            way.append(parents[way[-1]])
        if len(way) > len(links):
            yield UrdfProblem(line_of(links[name]), f"link {name!r} hangs in a ring of joints")
            return
        sound.update(way)
