"""Drawings of the goal and the actual value of a task in space, again and again."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection import stroke
from controlit_ros.introspection.marker import ACTUAL, ARROW_LENGTH, BLUE, GOAL, GREEN, Color, Key
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.stroke import Stroke
from controlit_ros.introspection.views import ShapeView, TensionView
from controlit_ros.tasks import ShapeKind

OPPOSITE = 4  # [#] from the id of a force to that of its opposite at the other contact


class ShapeDrawing:
    """Draws a shape.

    Args:
        key: Of the first marker.
        view: The shape with its numbers.
        weight: Force that is drawn as an arrow of one metre [N].

    Attributes:
        view: The same.
    """

    def __init__(self, key: Key, view: ShapeView, weight: float) -> None:
        self.view = view
        self._strokes = [
            _stroke(key.after(role), view, value, color, weight)
            for role, value, color in ((GOAL, view.goal, GREEN), (ACTUAL, view.actual, BLUE))
            if value is not None
        ]

    def sketches(self) -> Iterator[Sketch]:
        """Draw it in the scene at hand; what is not finite is not drawn."""
        for each in self._strokes:
            yield from each.sketches()


class TensionDrawing:
    """Draws what two contacts exert on the world because of each other.

    Args:
        key: Of the first marker.
        weight: Force that is drawn as an arrow of one metre [N].
    """

    def __init__(self, key: Key, weight: float) -> None:
        self._places: Array = np.zeros((2, 3))
        self._wrenches: Array = np.zeros((2, 2, 6))  # goal and actual value, at both contacts
        self._strokes = [
            stroke.arrows(key.after(role + shift), place, wrench, 1.0 / weight, color)
            for role, color, wrenches in zip(
                (GOAL, ACTUAL), (GREEN, BLUE), self._wrenches, strict=True
            )
            for shift, place, wrench in zip((0, OPPOSITE), self._places, wrenches, strict=True)
        ]

    def sketches(self, tension: TensionView) -> Iterator[Sketch]:
        """Draw it; what is not finite is not drawn."""
        self._places[:] = tension.places
        for wrenches, value in zip(self._wrenches, (tension.goal, tension.actual), strict=True):
            wrenches[0], wrenches[1] = value, -value
        for each in self._strokes:
            yield from each.sketches()


def _stroke(key: Key, view: ShapeView, value: Array, color: Color, weight: float) -> Stroke:
    kind = view.shape.kind
    if kind is ShapeKind.ORIENTATION:
        return stroke.axes(key, view.place, value, color)
    if kind is ShapeKind.POSE:
        return stroke.axes(key, value[:3], value[3:], color)
    if kind is ShapeKind.DIRECTION:
        return stroke.arrows(key, view.place, value, ARROW_LENGTH, color)
    if kind is ShapeKind.WRENCH:
        return stroke.arrows(key, view.place, value, 1.0 / weight, color)
    return stroke.ball(key, value, color)
