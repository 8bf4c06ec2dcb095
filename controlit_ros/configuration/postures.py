"""Named postures of a robot, from the semantic description (SRDF) that comes with its URDF."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from controlit_ros.configuration.location import KeyPath
from controlit_ros.configuration.mimic_constraints import SWITCH, apart_from_mimics, moving
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.robot_description import DescriptionFile
from controlit_ros.configuration.unchecked import entries, section_of, texts
from controlit_ros.errors import ControlItError, did_you_mean, show
from controlit_ros.mimic_joints import mimics
from controlit_ros.model.urdf_document import read_urdf, urdf_tree
from controlit_ros.model.xml_element import XmlError
from controlit_ros.regular_file import MEBIBYTE, UnreadableFileError, read_text
from controlit_ros.resource import ResourceError, resolve_resource
from controlit_ros.xml_numbers import xml_numbers

Posture = dict[str, tuple[float, ...]]
"""Numbers by joint: one each, and seven of a base, its position and its quaternion xyzw."""

KEY = "semantic_description"
POSITION, BASE_POSITION, BASE_ORIENTATION = (
    "initial_position", "initial_base_position", "initial_base_orientation"
)  # fmt: skip
GOAL = "goal_position"
ROOT = "root_joint"
"""What such descriptions call the joint of a floating base."""
POSE_SIZE = 7
LARGEST = 16 * MEBIBYTE  # a hundred times the largest that robots come with


class PostureError(ControlItError):
    """There is no such posture, or no description that has any."""


def name_postures(
    data: dict[str, Any], robot: DescriptionFile, folder: Path, collector: ProblemCollector
) -> None:
    """Put joint positions where a configuration names a posture, and where its base is.

    Names may stand for `initial_position` and for the `goal_position` of tasks. Joints that the
    robot does not have, or that do not move by themselves, are left out; of an `initial_position`
    also the slaves of masters that the posture has.

    Args:
        data: Sections of the configuration, not yet validated; changed.
        robot: The robot description.
        folder: Where relative paths begin.
        collector: Receives what is wrong.
    """
    places: list[tuple[KeyPath, dict[str, Any], str]] = [
        ((section, POSITION), data[section], POSITION)
        for section in ("simulator", "robot_interface")
        if isinstance(data.get(section), dict)
    ]
    places += [(("tasks", i, GOAL), entry, GOAL) for i, entry in entries(data, "tasks")]
    named = [place for place in places if isinstance(place[1].get(place[2]), str)]
    reference = data.get(KEY)
    if not isinstance(reference, str | None) or not (named or reference):
        return
    try:
        source = semantic_source(reference, robot.path, folder)
        postures = read_postures(source)
    except PostureError as error:
        collector.add((KEY,) if reference else named[0][0], str(error))
        return
    joints = _moving(robot.urdf, data)
    masters = {
        slave: entry.get("master")
        for _, entry in entries(data, "constraints")
        for slave in texts(entry.get("slave"))
    }
    passive = set(texts(section_of(data, "parameters").get("passive_joints")))
    for path, holder, key in named:
        try:
            found = _chosen(holder[key], postures, source)
            moved = {slave for slave, master in masters.items() if master in found}
            known = joints - (passive if key == GOAL else moved)
            holder[key] = _positions(found, known, holder[key], source)
        except PostureError as error:
            collector.add(path, str(error))
            continue
        if key == POSITION and len(found.get(ROOT, ())) == POSE_SIZE:
            holder.setdefault(BASE_POSITION, list(found[ROOT][:3]))
            holder.setdefault(BASE_ORIENTATION, list(found[ROOT][3:]))


def read_postures(path: Path) -> dict[tuple[str, str], Posture]:
    """Read the `group_state` elements of an SRDF, by group and name.

    Raises:
        PostureError: The file cannot be read or is something else.
    """
    try:
        robot = read_urdf(read_text(path, LARGEST)).written
    except (UnreadableFileError, XmlError) as error:
        raise PostureError(f"{path}: {error}") from None
    postures: dict[tuple[str, str], Posture] = {}
    for state in robot.iter("group_state"):
        posture = postures.setdefault((state.get("group", ""), state.get("name", "")), {})
        for joint in state.findall("joint"):
            posture[joint.get("name", "")] = _numbers(joint, state, path)
    return postures


def _numbers(joint: ET.Element, state: ET.Element, path: Path) -> tuple[float, ...]:
    text = joint.get("value", "")
    numbers = xml_numbers(text)
    if not numbers:
        raise PostureError(
            f"{path}: posture {state.get('name')!r} has {show(text)} for {joint.get('name')!r}, "
            "expected numbers"
        )
    return numbers


def semantic_source(reference: str | None, urdf: Path | None, folder: Path) -> Path:
    """Return the semantic description: the one stated, or the one beside the URDF.

    Raises:
        PostureError: There is none, or several.
    """
    if reference:
        try:
            return resolve_resource(reference, folder)
        except ResourceError as error:
            raise PostureError(str(error)) from None
    if urdf is None:
        raise PostureError(f"found the name of a posture, expected {KEY} to say which file has it")
    found = [
        path
        for place in (urdf.parent, urdf.parent.parent / "srdf")
        if place.is_dir()
        for path in sorted(place.glob("*.srdf"))
    ]
    same = [path for path in found if path.stem == urdf.stem]
    if same or len(found) == 1:
        return (same or found)[0]
    seen = ", ".join(path.name for path in found) or "none"
    raise PostureError(
        f"found the name of a posture, but beside {urdf} {seen} of its name; expected {KEY} to say "
        "which SRDF has it"
    )


def _chosen(name: str, postures: Mapping[tuple[str, str], Posture], source: Path) -> Posture:
    """Return a posture by name, of all groups that have it, or of one, as in `arm/home`."""
    group, _, plain = name.rpartition("/")
    found = [p for (g, n), p in postures.items() if n == plain and group in ("", g)]
    if not found:
        names = [n for _, n in postures] + [f"{g}/{n}" for g, n in postures if g]
        raise PostureError(
            f"there is no posture {name!r} in {source.name}{did_you_mean(name, names)}"
        )
    return {joint: numbers for posture in found for joint, numbers in posture.items()}


def _positions(posture: Posture, joints: set[str], name: str, source: Path) -> dict[str, float]:
    own = {joint: numbers for joint, numbers in posture.items() if joint in joints}
    for joint, numbers in own.items():
        if len(numbers) != 1:
            raise PostureError(
                f"the posture {name!r} in {source.name} has {len(numbers)} numbers for {joint!r}, "
                "expected one"
            )
    if not own:
        raise PostureError(
            f"the posture {name!r} in {source.name} has none of the robot's moving joints"
        )
    return {joint: numbers[0] for joint, numbers in own.items()}


def _moving(urdf: str, data: dict[str, Any]) -> set[str]:
    """Return the joints that have a position: those that are neither fixed nor locked."""
    robot = urdf_tree(urdf)
    own = moving(robot, data)
    if section_of(data, "parameters").get(SWITCH, True) is not True:
        return own
    followers = mimics(robot, apart_from_mimics(data)).found
    return own - {mimic.slave for mimic in followers if mimic.master not in own}
