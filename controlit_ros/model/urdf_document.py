"""UrdfDocument: a robot description, parsed once for every reader.

Pinocchio and MuJoCo ignore namespaces, the XML parsers of Python resolve them, and each library
rejects other attributes that have no meaning. All of them read the same elements from here.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.urdf_rules import MAX_LENGTH, UNUSED, UrdfProblem, attribute_problems
from controlit_ros.model.xml_element import XmlError, line_of, read_xml
from controlit_ros.xml_numbers import xml_numbers

UNLIMITED = "1e16"  # [N, N m, m/s, rad/s] what real descriptions write for no limit
LARGEST_PITCH = 1.5  # [rad] of a floating joint inside a robot: yaw and roll align at pi / 2
XACRO = "xacro"
CHAINS = {"planar": ("x", "y", "yaw"), "floating": ("x", "y", "z", "yaw", "pitch", "roll")}
"""Joints of one degree of freedom by the type of the joint that they replace."""
_TYPES = {"pitch": "revolute", "yaw": "continuous", "roll": "continuous"} | dict.fromkeys(
    "xyz", "prismatic"
)
_AXES = {"x": 0, "y": 1, "z": 2, "roll": 0, "pitch": 1, "yaw": 2}
NEARLY_OPPOSITE = -1.0 + 1e-9  # [-] z of a normal from which the shortest turn is not defined


class UrdfDocument(NamedTuple):
    """A robot description.

    Attributes:
        written: Its elements as written, without prefixes and without elements of other languages.
        robot: The same, with planar and floating joints replaced by chains of joints with one
            degree of freedom; only the joint of a floating base remains. Shared by all readers:
            copy it before a change.
        text: `robot` as text, for libraries.
        problems: What xacro left over.
        notes: What is ignored, and which joints were replaced.
    """

    written: ET.Element
    robot: ET.Element
    text: str
    problems: tuple[UrdfProblem, ...]
    notes: tuple[UrdfProblem, ...]


@lru_cache(maxsize=4)
def read_urdf(urdf: str) -> UrdfDocument:
    """Parse the text of a robot description, whether it is sound or not.

    Raises:
        XmlError: It is no XML.
    """
    written = read_xml(urdf)
    is_prefixed = any(map(_has_prefix, written.iter()))
    problems = tuple(_strip_prefixes(written)) if is_prefixed else ()
    notes = list(_remove_unused(written))
    robot, inside = written, [_is_inside(written, joint) for joint in written.findall("joint")]
    if any(inside):
        robot = deepcopy(written)
        for is_inside, joint, original in zip(
            inside, robot.findall("joint"), written.findall("joint"), strict=True
        ):
            if is_inside:
                notes.append(UrdfProblem(line_of(original), _replace_by_chain(robot, joint)))
    text = ET.tostring(robot, encoding="unicode") if is_prefixed or notes else urdf
    return UrdfDocument(written, robot, text, problems, tuple(notes))


def urdf_tree(urdf: str) -> ET.Element:
    """Return the elements of a URDF; none of a text that is no XML, which `check_urdf` refuses."""
    try:
        return read_urdf(urdf).robot
    except XmlError:
        return ET.Element("robot")


def end_of(joint: ET.Element, tag: str) -> str:
    """Return the name of the `parent` or `child` link of a joint."""
    end = joint.find(tag)
    return "" if end is None else end.get("link", "")


def _has_prefix(element: ET.Element) -> bool:
    names = [name for name in element.attrib if not name.startswith("xmlns:")]
    return ":" in element.tag or any(name == "xmlns" or ":" in name for name in names)


def _strip_prefixes(robot: ET.Element) -> Iterator[UrdfProblem]:
    """Remove the prefix of the root's namespace, and elements and attributes with another."""
    namespaces = _namespaces(robot)
    own = robot.tag.rpartition(":")[0]
    ours = {own} | {p for p, space in namespaces.items() if space == namespaces.get(own)}
    for element in list(robot.iter()):  # parents before their children
        prefix, _, tag = element.tag.rpartition(":")
        if XACRO in (prefix, *namespaces.get(prefix, "").split("/")):
            text = f"found <{element.tag}>, expected a URDF: xacro FILE > robot.urdf"
            yield UrdfProblem(line_of(element), text)
        element.tag = tag
        for child in list(element):
            if child.tag.rpartition(":")[0] not in ours | {""}:
                element.remove(child)
        for name in [name for name in element.attrib if ":" in name or name == "xmlns"]:
            prefix, _, local = name.rpartition(":")
            value = element.attrib.pop(name)
            if prefix and prefix in ours:
                element.attrib.setdefault(local, value)


def _namespaces(robot: ET.Element) -> dict[str, str]:
    """Return the namespaces of a text by prefix; of the default one, the prefix is empty."""
    found: dict[str, str] = {}
    for element in robot.iter():
        for name, namespace in element.attrib.items():
            kind, _, prefix = name.partition(":")
            if kind == "xmlns":
                found.setdefault(prefix, namespace)
    return found


def _remove_unused(robot: ET.Element) -> Iterator[UrdfProblem]:
    """Remove what has no meaning for the type of its joint where it is not even sound."""
    for joint in robot.findall("joint"):
        kind = joint.get("type", "")
        seen: set[str] = set()
        for child in list(joint):
            unused = UNUSED.get(kind, {}).get(child.tag)
            if unused is None:
                continue
            found = list(attribute_problems(child, f"joint {joint.get('name', '')!r}", unused))
            if child.tag in seen:
                text = f"joint {joint.get('name', '')!r}: <{child.tag}> stands twice"
                found.append(UrdfProblem(line_of(child), text))
            seen.add(child.tag)
            for line, text in found:
                yield UrdfProblem(line, f"{text}; ignored, it has no meaning for a {kind} joint")
            if found and not unused:
                joint.remove(child)
            for name in unused if found else ():
                child.attrib.pop(name, None)


def _is_inside(robot: ET.Element, joint: ET.Element) -> bool:
    """Check whether a joint with several degrees of freedom is not that of a floating base.

    A floating base hangs from a root to which nothing else with mass or motion is fixed.
    """
    kind = joint.get("type")
    if kind != "floating":
        return kind == "planar"
    others = [other for other in robot.findall("joint") if other is not joint]
    rigid = [
        {end_of(other, "parent"), end_of(other, "child")}
        for other in others
        if other.get("type") == "fixed"
    ]
    root = {end_of(joint, "parent")}
    while grown := {link for ends in rigid if ends & root for link in ends} - root:
        root |= grown
    moves = any(
        other.get("type") != "fixed" and root & {end_of(other, "parent"), end_of(other, "child")}
        for other in others
    )
    masses = [
        mass.get("value", "")
        for link in robot.findall("link")
        if link.get("name") in root
        for mass in link.findall("inertial/mass")
    ]
    return moves or any(any(xml_numbers(mass)) for mass in masses)


def _replace_by_chain(robot: ET.Element, joint: ET.Element) -> str:
    """Replace a joint by joints of one degree of freedom; return a note about it."""
    name, kind = joint.get("name", ""), joint.get("type", "")
    steps, taken = CHAINS[kind], {e.get("name", "") for e in robot}
    names = [_free_name(f"{name}_{step}", taken) for step in steps]
    links = [_free_name(f"{each}_link", taken) for each in names[:-1]]
    ends = [end_of(joint, "parent"), *links, end_of(joint, "child")]
    robot.extend(ET.Element("link", name=link) for link in links)
    place = list(robot).index(joint)
    robot.remove(joint)
    axes = _plane(joint) if kind == "planar" else np.eye(3)
    limit = joint.find("limit") if kind == "planar" else None
    stated = {} if limit is None else dict(limit.attrib)
    for i, step in enumerate(steps):
        made = ET.Element("joint", name=names[i], type=_TYPES[step])
        made.extend(joint.findall("origin")[: not i])
        ET.SubElement(made, "parent", link=ends[i])
        ET.SubElement(made, "child", link=ends[i + 1])
        axis = axes[_AXES[step]] + 0.0  # without negative zeros
        ET.SubElement(made, "axis", xyz=" ".join(map(repr, axis.tolist())))
        reach = LARGEST_PITCH if step == "pitch" else MAX_LENGTH
        ET.SubElement(made, "limit", {"lower": f"{-reach}", "upper": f"{reach}"} | {
            name: stated.get(name, UNLIMITED) for name in ("effort", "velocity")
        })  # fmt: skip
        robot.insert(place + i, made)
    return (
        f"the {kind} joint {name!r} is modelled as the joints {', '.join(map(repr, names))}; name "
        "them in passive_joints if nothing drives them"
    )


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _plane(joint: ET.Element) -> Array:
    """Return the axes of a planar joint as rows, `(3, 3)`: the last is the plane's normal.

    The first two are turned from x and y of the joint's frame the shortest way.
    """
    axis = joint.find("axis")
    normal = np.array(xml_numbers("1 0 0" if axis is None else axis.get("xyz", "")))
    if normal.shape != (3,) or not normal.any():
        return np.eye(3)  # refused by check_urdf
    a, b, c = normal / np.linalg.norm(normal)
    if c < NEARLY_OPPOSITE:
        return np.diag((1.0, -1.0, -1.0))
    return np.array(
        [
            [1.0 - a * a / (1.0 + c), -a * b / (1.0 + c), -a],
            [-a * b / (1.0 + c), 1.0 - b * b / (1.0 + c), -b],
            [a, b, c],
        ]
    )
