"""Markers of RViz as the fields of visualization_msgs/msg/Marker."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import quaternion as quaternions

Fields = dict[str, Any]

TYPE = "visualization_msgs/msg/Marker"
ADD, DELETE = 0, 2
GOAL, ACTUAL = 0, 1  # [#] what is added to the number of a shape
ARROW, CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST, TRIANGLE_LIST = 0, 1, 2, 3, 4, 5, 11

POINT_SIZE = 0.04  # [m] across, seen beside a hand
ARROW_LENGTH = 0.2  # [m]
SHAFT, HEAD, HEAD_LENGTH = 0.012, 0.03, 0.05  # [m]
AXIS_LENGTH = 0.12  # [m]
LINE = 0.006  # [m] across
DISC_HEIGHT = 0.004  # [m]


class Color(NamedTuple):
    """Red, green, blue and opacity, 0 to 1."""

    r: float
    g: float
    b: float
    a: float


GREEN = Color(0.1, 0.8, 0.2, 0.8)
BLUE = Color(0.15, 0.35, 1.0, 0.8)
RED = Color(0.9, 0.15, 0.1, 0.9)
YELLOW = Color(0.95, 0.8, 0.1, 0.8)
GREY = Color(0.6, 0.6, 0.6, 0.6)
ORANGE = Color(0.95, 0.45, 0.05, 0.5)
VIOLET = Color(0.6, 0.2, 0.85, 0.9)
STONE = Color(0.55, 0.53, 0.5, 1.0)
AXES = (Color(0.9, 0.1, 0.1, 1.0), Color(0.1, 0.8, 0.1, 1.0), Color(0.1, 0.2, 0.9, 1.0))


class Key(NamedTuple):
    """What a marker is known by, for as long as it is shown.

    Attributes:
        ns: Namespace: the name of a task, or `robot/...`.
        id: Number within it.
    """

    ns: str
    id: int


def sphere(key: Key, position: Array, color: Color, size: float = POINT_SIZE) -> Fields:
    """Return a ball."""
    return _marker(key, SPHERE, color, (size, size, size), position)


def solid(
    key: Key, kind: int, size: Sequence[float], position: Array, orientation: Array, color: Color
) -> Fields:
    """Return a box, an ellipsoid or a cylinder (`CUBE`, `SPHERE`, `CYLINDER`) by its extents."""
    return _marker(key, kind, color, size, position, orientation)


def triangles(
    key: Key, corners: Array, position: Array, orientation: Array, color: Color
) -> Fields:
    """Return triangles, `(3 k, 3)` three corners each, in a frame."""
    marker = _marker(key, TRIANGLE_LIST, color, (1.0, 1.0, 1.0), position, orientation)
    return marker | {"points": corners}


def disc(key: Key, position: Array, orientation: Array, color: Color, size: float) -> Fields:
    """Return a thin disc square to the z axis of an orientation xyzw."""
    return _marker(key, CYLINDER, color, (size, size, DISC_HEIGHT), position, orientation)


def arrow(key: Key, start: Array, end: Array, color: Color) -> Fields:
    """Return an arrow between two points; one too short for its head gets a shorter head."""
    length = float(np.linalg.norm(end - start))
    scale = (SHAFT, HEAD, min(HEAD_LENGTH, 0.5 * length))
    return _marker(key, ARROW, color, scale) | {"points": np.array([start, end])}


def axes(key: Key, position: Array, orientation: Array, color: Color) -> Fields:
    """Return the axes of a frame, red, green and blue, that end in the colour of the frame."""
    ends = [position + quaternions.rotate(orientation, AXIS_LENGTH * axis) for axis in np.eye(3)]
    points = np.array([place for end in ends for place in (position, end)])
    colors = [shade._asdict() for axis in AXES for shade in (axis, color)]
    marker = _marker(key, LINE_LIST, color, (LINE, 0.0, 0.0))
    return marker | {"points": points, "colors": colors}


def line(key: Key, places: Sequence[Array], color: Color) -> Fields:
    """Return a line through points."""
    marker = _marker(key, LINE_STRIP, color, (LINE, 0.0, 0.0))
    return marker | {"points": np.array(places)}


def lines(key: Key, pairs: Array, color: Color) -> Fields:
    """Return separate lines, `(k, 2, 3)` from the first place to the second."""
    marker = _marker(key, LINE_LIST, color, (LINE, 0.0, 0.0))
    return marker | {"points": pairs.reshape(-1, 3)}


def deletion(key: Key) -> Fields:
    """Return the marker that takes one away."""
    return {**key._asdict(), "action": DELETE}


def point(position: Array) -> dict[str, float]:
    """Return the fields of a geometry_msgs/msg/Point or Vector3."""
    return dict(zip("xyz", position.tolist(), strict=True))


def rotation(orientation: Array) -> dict[str, float]:
    """Return the fields of a geometry_msgs/msg/Quaternion."""
    return dict(zip("xyzw", orientation.tolist(), strict=True))


def _marker(
    key: Key,
    kind: int,
    color: Color,
    scale: Sequence[float],
    position: Array | None = None,
    orientation: Array | None = None,
) -> Fields:
    pose: Fields = {}
    if position is not None:
        pose["position"] = point(position)
    if orientation is not None:
        pose["orientation"] = rotation(orientation)
    return {
        **key._asdict(),
        "type": kind,
        "action": ADD,
        "pose": pose,
        "scale": dict(zip("xyz", scale, strict=True)),
        "color": color._asdict(),
    }
