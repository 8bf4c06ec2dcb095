"""ShapeDrawing: the goal and the actual value of a task in space, drawn again and again."""

from collections.abc import Callable, Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import ACTUAL, BLUE, GOAL, GREEN, Color, Key, Marker
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.views import ShapeView
from controlit_ros.kernels import all_finite, bind, draw_arrows, draw_axes
from controlit_ros.kernels.drawn_shape import ARROW, FORCE, HEAD, SHAFT
from controlit_ros.tasks import ShapeKind

MOMENT = 2  # [#] from the id of a force to that of its moment
FAINT = 0.4  # [-] opacity of a moment

Stroke = tuple[Callable[[], int], tuple[Sketch, ...]]
"""Writes the numbers of the scene at hand, and tells how many markers show them; those many."""


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
        for draw, sketches in self._strokes:
            count = draw()
            if count:
                yield sketches[count - 1]


def _stroke(key: Key, view: ShapeView, value: Array, color: Color, weight: float) -> Stroke:
    kind = view.shape.kind
    if kind in (ShapeKind.POINT, ShapeKind.PLANE_POINT):
        return bind(all_finite, value), (Sketch.standing([marker.sphere(key, value, color)]),)
    if kind is ShapeKind.ORIENTATION:
        return _axes(key, value, view.place, color)
    if kind is ShapeKind.POSE:
        return _axes(key, value[3:], value[:3], color)
    return _arrows(
        key,
        view.place,
        value,
        marker.ARROW_LENGTH if kind is ShapeKind.DIRECTION else 1.0 / weight,
        color,
    )


def _axes(key: Key, orientation: Array, position: Array, color: Color) -> Stroke:
    points = np.zeros((6, 3))
    draw = bind(draw_axes, orientation, position, marker.AXIS_LENGTH, points)
    return draw, (Sketch.standing([marker.axes(key, points, color)]),)


def _arrows(key: Key, place: Array, value: Array, scale: float, color: Color) -> Stroke:
    arrows = np.zeros((len(value) // FORCE, ARROW))
    arrows[:, SHAFT], arrows[:, HEAD] = marker.SHAFT, marker.HEAD
    looks = ((key, color), (key.after(MOMENT), color._replace(a=FAINT)))
    marks = [
        Marker(mine, marker.ARROW, shade, numbers[:3], points=numbers[3:].reshape(2, 3))
        for numbers, (mine, shade) in zip(arrows, looks, strict=False)
    ]
    draw = bind(draw_arrows, value, place, float(scale), marker.HEAD_LENGTH, arrows)
    return draw, tuple(Sketch.standing(marks[: i + 1]) for i in range(len(marks)))
