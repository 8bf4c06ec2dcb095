"""Sketch: markers that are drawn together."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection.marker import Marker

MOVING = ("scale", "position", "orientation", "points")


class Sketch:
    """Markers, and what of them moves.

    Args:
        markers: What is drawn.
        look: All of them but their numbers.

    Attributes:
        markers: The same.
        look: The same.
        keys: What they are known by.
        numbers: Vectors of what moves: size, position, orientation, points of each.
    """

    def __init__(self, markers: Sequence[Marker], look: Hashable) -> None:
        self.markers = tuple(markers)
        self.look = look
        self.keys = frozenset(mark.key for mark in markers)
        self.numbers: tuple[Array, ...] = tuple(_numbers(markers))

    @classmethod
    def of(cls, markers: Iterable[Marker]) -> "Sketch":
        """Return a sketch of markers that are made for one scene."""
        made = tuple(markers)
        return cls(made, tuple(map(_look, made)))

    @classmethod
    def standing(cls, markers: Sequence[Marker]) -> "Sketch":
        """Return a sketch for many scenes, of markers whose numbers are written anew in place."""
        return cls(markers, object())


def _look(mark: Marker) -> Hashable:
    """Return all of a marker but its numbers."""
    key, kind, color, scale, position, orientation, points, colors, action = mark
    corners = -1 if points is None else len(points)
    parts = (scale is None, position is None, orientation is None)
    return key, kind, color, parts, corners, colors, action


def _numbers(markers: Iterable[Marker]) -> Iterator[Array]:
    for mark in markers:
        for name in MOVING:
            values = getattr(mark, name)
            if values is not None:
                yield np.asarray(values, dtype=np.float64).reshape(-1)


def with_numbers(markers: Iterable[Marker], numbers: Array) -> Iterator[Marker]:
    """Yield markers with other numbers, in the order of those of their sketch."""
    begin = 0
    for mark in markers:
        moved = {}
        for name in MOVING:
            values = getattr(mark, name)
            if values is not None:
                end = begin + np.size(values)
                moved[name] = numbers[begin:end].reshape(np.shape(values))
                begin = end
        yield mark._replace(**moved)
