"""What a robot stands on, found from its description alone."""

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from scipy.spatial import Delaunay, QhullError

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, RobotState
from controlit_ros.robots.floor import SMALLEST_BALL

Entry = dict[str, Any]

LEVEL = 0.02  # [m] feet that stand on the same floor
PATCH = 0.003  # [m] what of a foot touches it
SOLE = 0.01  # [m] half of the least sole; what is smaller is a point
UPRIGHT = 0.999  # [-] cosine between a link's z axis and the vertical
CORNERS = 16  # [#] of a cylinder's ends
SIGNS = np.array(list(product((-1.0, 1.0), repeat=3)))


def contacts_on_floor(urdf: Path, start: RobotState) -> list[Entry]:
    """Return contact constraints for the ends of the limbs that are lowest.

    A sole where an upright link touches with a surface, a point or ball elsewhere.

    Args:
        urdf: The robot description, with collision shapes.
        start: Where the robot begins.

    Returns:
        Entries of the section `constraints`; none if the robot would not keep its balance on them.
    """
    model = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
    folders = [str(folder) for folder in urdf.parents]
    shapes = pin.buildGeomFromUrdf(model, str(urdf), pin.COLLISION, None, folders)
    data, q = model.createData(), pin.neutral(model)
    for joint, position in zip(start.joint_names, start.position, strict=True):
        entry = model.joints[model.getJointId(joint)]
        turn = (math.cos(position), math.sin(position))
        q[entry.idx_q : entry.idx_q + entry.nq] = turn if entry.nq > 1 else position
    q[: BASE_DOFS + 1] = [*start.base_position, *start.base_orientation]
    com = pin.centerOfMass(model, data, q)
    pin.updateFramePlacements(model, data)
    ends = [i for i in range(2, model.njoints) if not len(model.children[i])]
    points = {joint: found for joint in ends if len(found := _points(joint, shapes, data))}
    if not points:
        return []
    floor = min(float(found[:, 2].min()) for found in points.values())
    feet = [joint for joint in points if points[joint][:, 2].min() < floor + LEVEL]
    patches = [_lowest(points[joint]) for joint in feet]
    entries = [_contact(model, data, *foot) for foot in zip(feet, patches, strict=True)]
    support = [
        patch if "half_size" in entry else patch.mean(axis=0, keepdims=True)
        for entry, patch in zip(entries, patches, strict=True)
    ]
    return entries if _is_above(np.vstack(support), com) else []


def _lowest(points: Array) -> Array:
    lowest: Array = points[points[:, 2] < points[:, 2].min() + PATCH]
    return lowest


def _is_above(points: Array, com: Array) -> bool:
    """Tell whether the centre of mass is above the area between the points."""
    try:
        return bool(Delaunay(points[:, :2]).find_simplex(com[:2]) >= 0)
    except QhullError:  # they are on a line
        return False


def _contact(model: Any, data: Any, joint: int, patch: Array) -> Entry:
    """Return the constraint of a body that touches the floor with some points, in the world."""
    links = [
        (frame.name, data.oMf[index])
        for index, frame in enumerate(model.frames)
        if frame.type == pin.FrameType.BODY and frame.parentJoint == joint
    ]
    name, placement = max(links, key=lambda link: float(link[1].rotation[2, 2]))
    local = (patch - placement.translation) @ placement.rotation
    low, high = local.min(axis=0), local.max(axis=0)
    half = 0.5 * (high - low)[:2]
    entry = {"name": f"Foot{joint}", "body": name}
    if placement.rotation[2, 2] > UPRIGHT and half.min() > SOLE:
        place, size = 0.5 * (low + high), half.tolist()
        return {**entry, "type": "FlatContact", "contact_point": place.tolist(), "half_size": size}
    center = patch.mean(axis=0)
    center[2] = patch[:, 2].min() + SMALLEST_BALL
    place = placement.actInv(center).tolist()
    return {**entry, "type": "PointContact", "contact_point": place, "radius": SMALLEST_BALL}


def _points(joint: int, shapes: Any, data: Any) -> Array:
    """Return points of a body's surface, the lowest among them, `(n, 3)` in the world."""
    found = [np.zeros((0, 3))]
    for shape in shapes.geometryObjects:
        if shape.parentJoint == joint:
            placement = data.oMi[joint] * shape.placement
            corners, below = _corners(shape.geometry)
            world = corners @ placement.rotation.T + placement.translation
            found.append(world - [0.0, 0.0, below])
    return np.vstack(found)


def _corners(shape: Any) -> tuple[Array, float]:
    """Return points of a shape in its frame, `(n, 3)`, and how far its surface is below [m]."""
    length = getattr(shape, "halfLength", 0.0)
    if hasattr(shape, "vertices"):
        return shape.vertices(), 0.0
    if hasattr(shape, "points"):
        return shape.points(), 0.0
    if hasattr(shape, "halfSide"):
        return SIGNS * shape.halfSide, 0.0
    if type(shape).__name__ == "Cylinder":
        turns = np.linspace(0.0, math.tau, CORNERS, endpoint=False)
        ring = shape.radius * np.column_stack([np.cos(turns), np.sin(turns), 0.0 * turns])
        end = np.array([0.0, 0.0, length])
        return np.vstack([ring + end, ring - end]), 0.0
    return np.array([[0.0, 0.0, length], [0.0, 0.0, -length]]), float(getattr(shape, "radius", 0))
