"""Markers of RViz: what is in a visualization_msgs/msg/Marker."""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array

Fields = dict[str, Any]
"""Of a message."""

TYPE = "visualization_msgs/msg/Marker"
ADD, DELETE = 0, 2
GOAL, ACTUAL = 0, 1  # [#] what is added to the number of a shape
ARROW, CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST, TRIANGLE_LIST = 0, 1, 2, 3, 4, 5, 11

POINT_SIZE = 0.04  # [m] across, seen beside a hand
ARROW_LENGTH = 0.2  # [m]
SHAFT, HEAD, HEAD_LENGTH = 0.012, 0.03, 0.05  # [m]
AXIS_LENGTH = 0.12  # [m]
LINE = 0.006  # [m] across
LINES = (LINE, 0.0, 0.0)  # [m] the scale of lines
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

    def after(self, count: int) -> "Key":
        """Return the key a few numbers on."""
        return Key(self.ns, self.id + count)


class Marker(NamedTuple):
    """Something that is drawn in the world.

    Attributes:
        key: What it is known by.
        kind: `ARROW`, `CUBE` and so on.
        color: Of all of it.
        scale: Its extents, or what else the kind says [m].
        position: `(3,)` where it is [m]; `None`: where its points are.
        orientation: `(4,)` quaternion xyzw; `None`: along the world's axes.
        points: `(k, 3)` what it goes through, if it does [m].
        colors: Of the points, where they differ.
        action: `ADD`, or `DELETE` it, of which only the key is known.
    """

    key: Key
    kind: int = 0
    color: Color | None = None
    scale: Sequence[float] | Array | None = None
    position: Array | None = None
    orientation: Array | None = None
    points: Array | None = None
    colors: tuple[Color, ...] = ()
    action: int = ADD

    def fields(self) -> Fields:
        """Return the fields of its message, without the header."""
        pose: Fields = {}
        if self.position is not None:
            pose["position"] = point(self.position)
        if self.orientation is not None:
            pose["orientation"] = rotation(self.orientation)
        fields = {**self.key._asdict(), "type": self.kind, "action": self.action, "pose": pose}
        if self.color is not None:
            fields["color"] = self.color._asdict()
        if self.scale is not None:
            fields["scale"] = dict(zip("xyz", self.scale, strict=True))
        if self.points is not None:
            fields["points"] = self.points
        if self.colors:
            fields["colors"] = [color._asdict() for color in self.colors]
        return fields


def sphere(key: Key, position: Array, color: Color, size: float = POINT_SIZE) -> Marker:
    """Return a ball."""
    return Marker(key, SPHERE, color, (size, size, size), position)


def solid(
    key: Key,
    kind: int,
    size: tuple[float, float, float],
    position: Array,
    orientation: Array,
    color: Color,
) -> Marker:
    """Return a box, an ellipsoid or a cylinder (`CUBE`, `SPHERE`, `CYLINDER`) by its extents."""
    return Marker(key, kind, color, size, position, orientation)


def triangles(
    key: Key, corners: Array, position: Array, orientation: Array, color: Color
) -> Marker:
    """Return triangles, `(3 k, 3)` three corners each, in a frame."""
    return Marker(key, TRIANGLE_LIST, color, (1.0, 1.0, 1.0), position, orientation, corners)


def disc(key: Key, position: Array, orientation: Array, color: Color, size: float) -> Marker:
    """Return a thin disc square to the z axis of an orientation xyzw."""
    return Marker(key, CYLINDER, color, (size, size, DISC_HEIGHT), position, orientation)


def arrow(key: Key, start: Array, end: Array, color: Color) -> Marker:
    """Return an arrow between two points; one too short for its head gets a shorter head."""
    way = end - start
    scale = (SHAFT, HEAD, min(HEAD_LENGTH, 0.5 * sqrt(way @ way)))
    return Marker(key, ARROW, color, scale, points=np.array([start, end]))


def axes(key: Key, points: Array, color: Color) -> Marker:
    """Return the axes of a frame, `(6, 3)` beginning and end of each; they end in its colour."""
    return Marker(key, LINE_LIST, color, LINES, points=points, colors=_of_axes(color))


def line(key: Key, places: Sequence[Array], color: Color) -> Marker:
    """Return a line through points."""
    return Marker(key, LINE_STRIP, color, LINES, points=np.array(places))


def lines(key: Key, pairs: Array, color: Color) -> Marker:
    """Return separate lines, `(k, 2, 3)` from the first place to the second."""
    return Marker(key, LINE_LIST, color, LINES, points=pairs.reshape(-1, 3))


def deletion(key: Key) -> Marker:
    """Return the marker that takes one away."""
    return Marker(key, action=DELETE)


def point(position: Array) -> dict[str, float]:
    """Return the fields of a geometry_msgs/msg/Point or Vector3."""
    return dict(zip("xyz", position.tolist(), strict=True))


def rotation(orientation: Array) -> dict[str, float]:
    """Return the fields of a geometry_msgs/msg/Quaternion."""
    return dict(zip("xyzw", orientation.tolist(), strict=True))


@cache
def _of_axes(color: Color) -> tuple[Color, ...]:
    """Return the colours of the points of three axes that end in one."""
    return tuple(shade for axis in AXES for shade in (axis, color))
