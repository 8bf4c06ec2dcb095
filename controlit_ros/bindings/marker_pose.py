"""What the pose of a marker that somebody drags means for a parameter."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.model import quaternion as quaternions
from controlit_ros.parameters import Quantity

SHORTEST = 1e-9  # [-] length of a quaternion or direction that still has a direction

POINTER = np.array([1.0, 0.0, 0.0])
"""The axis of a marker that points along a direction, as arrows of RViz do."""


def position_of(pose: Any) -> Array:
    """Return the position of a geometry_msgs/msg/Pose, `(3,)` [m]."""
    return np.array([pose.position.x, pose.position.y, pose.position.z])


def orientation_of(pose: Any) -> Array:
    """Return the orientation of a geometry_msgs/msg/Pose, `(4,)` xyzw, unit length.

    Raises:
        ConversionError: The quaternion is zero and has no direction.
    """
    turn = np.array([getattr(pose.orientation, axis) for axis in "xyzw"])
    length = float(np.linalg.norm(turn))
    if length < SHORTEST:
        raise ConversionError(f"found the orientation {turn.tolist()}, which has no direction")
    unit: Array = turn / length
    return unit


def direction_of(pose: Any) -> Array:
    """Return where the x axis of a geometry_msgs/msg/Pose points, `(3,)`."""
    return quaternions.rotate(orientation_of(pose), POINTER)


def pose_of(pose: Any) -> Array:
    """Return a geometry_msgs/msg/Pose as position, then quaternion xyzw, `(7,)`.

    Raises:
        ConversionError: The quaternion is zero and has no direction.
    """
    return np.concatenate([position_of(pose), orientation_of(pose)])


def pose_fields(pose: Array) -> dict[str, Any]:
    """Return the fields of a geometry_msgs/msg/Pose from position and quaternion, `(7,)`."""
    return {
        "position": dict(zip("xyz", pose[:3].tolist(), strict=True)),
        "orientation": dict(zip("xyzw", pose[3:].tolist(), strict=True)),
    }


READINGS: Mapping[Quantity, Callable[[Any], Array]] = {
    Quantity.POINT: position_of,
    Quantity.VECTOR: direction_of,
    Quantity.QUATERNION: orientation_of,
    Quantity.POSE: pose_of,
}
"""How to read a pose for a parameter that holds a quantity."""


def pointing(direction: Array) -> Array:
    """Return the orientation xyzw that turns the x axis to a unit vector the shortest way."""
    half = np.array([0.0, -direction[2], direction[1], 1.0 + direction[0]])
    length = float(np.linalg.norm(half))
    if length < SHORTEST:  # straight backwards: any half turn will do
        return np.array([0.0, 0.0, 1.0, 0.0])
    turn: Array = half / length
    return turn
