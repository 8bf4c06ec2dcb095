"""Limits of joints that the configuration states instead of the robot description."""

from collections.abc import Mapping
from copy import deepcopy
from xml.etree import ElementTree as ET

from controlit_ros.model.urdf_check import check_urdf
from controlit_ros.model.urdf_document import UNLIMITED, read_urdf
from controlit_ros.model.urdf_rules import MOVING

EVERY_JOINT = "*"
"""In a map by joint name: the joints not named."""


def state_limits(urdf: str, limits: Mapping[str, Mapping[str, float]]) -> str:
    """Return a robot description with other limits of its joints.

    Everything made from the description (guard, simulator, console, reports) agrees on them.

    Args:
        urdf: Text of the description.
        limits: By attribute of `limit` (`effort` [N m or N], `velocity` [rad/s or m/s]) and by
            joint; `*` stands for the joints not named.

    Raises:
        UrdfError: The text is no sound description.
    """
    if not any(limits.values()):
        return urdf
    check_urdf(urdf)
    robot = deepcopy(read_urdf(urdf).robot)
    for joint in robot.findall("joint"):
        if joint.get("type") not in MOVING:
            continue
        limit = joint.find("limit")
        if limit is None:
            limit = ET.SubElement(joint, "limit", effort=UNLIMITED, velocity=UNLIMITED)
        for attribute, by_joint in limits.items():
            value = by_joint.get(joint.get("name", ""), by_joint.get(EVERY_JOINT))
            if value is not None:
                limit.set(attribute, repr(value))
    return ET.tostring(robot, encoding="unicode")
