"""Joints that the controller takes for fixed, turned so in the robot description itself."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from copy import deepcopy
from fnmatch import fnmatchcase

import numpy as np
import pinocchio as pin

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.mimic_joints import mimics
from controlit_ros.model.urdf_check import check_urdf
from controlit_ros.model.urdf_document import read_urdf

TURNING = ("revolute", "continuous")
SLIDING = "prismatic"
KEPT = ("origin", "parent", "child")
"""What is left of a joint that does not move."""


class LockedJointError(ControlItError):
    """A joint cannot be locked."""


def lock_joints(
    urdf: str, locked: Mapping[str, float], is_apart: Callable[[str], bool] | None = None
) -> str:
    """Return a robot description in which some joints are fixed.

    Everything made from the description (model, simulation, what is shown) agrees by that on the
    robot's joints. Links keep their names and inertias.

    Args:
        urdf: Text of the description.
        locked: Where joints are held [rad or m], by name or by pattern (`*`, `?`, `[...]`). Of
            several that fit, the last counts.
        is_apart: Given this, joints that mimic one that does not move are held where that holds
            them, but for those of which it is true.

    Raises:
        LockedJointError: A name or pattern fits no joint that moves, or a joint has more than one
            degree of freedom.
        UrdfError: The text is no sound description.
    """
    check_urdf(urdf)
    robot = deepcopy(read_urdf(urdf).robot)
    joints = {
        joint.get("name", ""): joint
        for joint in robot.findall("joint")
        if joint.get("type") != "fixed"
    }
    positions = _positions(list(joints), locked)
    if is_apart is not None:
        positions |= _followers(robot, joints, positions, is_apart)
    if not positions:
        return urdf
    for name, position in positions.items():
        _fix(name, joints[name], position)
    return ET.tostring(robot, encoding="unicode")


def _followers(
    robot: ET.Element,
    joints: Mapping[str, ET.Element],
    positions: Mapping[str, float],
    is_apart: Callable[[str], bool],
) -> dict[str, float]:
    """Return where the joints are that mimic one that does not move."""
    found = mimics(robot, lambda name: name in positions or is_apart(name)).found
    still = {**dict.fromkeys(_names(robot) - set(joints), 0.0), **positions}
    return {
        mimic.slave: mimic.ratio * still[mimic.master] + mimic.offset
        for mimic in found
        if mimic.master in still
    }


def _names(robot: ET.Element) -> set[str]:
    return {joint.get("name", "") for joint in robot.findall("joint")}


def _positions(joints: list[str], locked: Mapping[str, float]) -> dict[str, float]:
    positions: dict[str, float] = {}
    for pattern, position in locked.items():
        found = [joint for joint in joints if fnmatchcase(joint, pattern)]
        if not found:
            hint = did_you_mean(pattern, joints)
            raise LockedJointError(f"locked_joints: no moving joint is named {pattern!r}{hint}")
        positions |= dict.fromkeys(found, position)
    return positions


def _fix(name: str, joint: ET.Element, position: float) -> None:
    kind = joint.get("type")
    axis = joint.find("axis")
    direction = _vector(None if axis is None else axis.get("xyz"), default="1 0 0")
    direction /= np.linalg.norm(direction)
    if kind in TURNING:
        moved = pin.SE3(pin.exp3(direction * position), np.zeros(3))
    elif kind == SLIDING:
        moved = pin.SE3(np.eye(3), direction * position)
    else:
        expected = ", ".join((*TURNING, SLIDING))
        raise LockedJointError(
            f"locked_joints: {name!r} is of type {kind!r}, expected one of {expected}"
        )
    origin = joint.find("origin")
    if origin is None:
        origin = ET.SubElement(joint, "origin")
    rotation = pin.rpy.rpyToMatrix(_vector(origin.get("rpy")))
    placement = pin.SE3(rotation, _vector(origin.get("xyz"))) * moved
    origin.set("xyz", _text(placement.translation))
    origin.set("rpy", _text(pin.rpy.matrixToRpy(placement.rotation)))
    joint.set("type", "fixed")
    for element in list(joint):
        if element.tag not in KEPT:
            joint.remove(element)


def _vector(text: str | None, default: str = "0 0 0") -> np.ndarray:
    return np.array((text or default).split(), dtype=float)


def _text(vector: np.ndarray) -> str:
    return " ".join(repr(value) for value in vector.tolist())
