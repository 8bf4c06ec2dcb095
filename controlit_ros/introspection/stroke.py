"""Stroke: something that is drawn again and again, its numbers by compiled code."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import Color, Key, Marker
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.kernels import all_finite, bind, draw_arrows, draw_axes
from controlit_ros.kernels.drawn_shape import ARROW, FORCE, HEAD, SHAFT

MOMENT = 2  # [#] from the id of a force to that of its moment
FAINT = 0.4  # [-] opacity of a moment


class Stroke(NamedTuple):
    """Draws what stands in some memory.

    Attributes:
        draw: Writes the numbers of the scene at hand, and tells how many markers show them; none
            where something is not finite.
        looks: One marker, or two.
    """

    draw: Callable[[], int]
    looks: tuple[Sketch, ...]

    def sketches(self) -> Iterator[Sketch]:
        """Draw it."""
        count = self.draw()
        if count:
            yield self.looks[count - 1]


def ball(key: Key, position: Array, color: Color) -> Stroke:
    """Return what draws a place, `(3,)` [m]."""
    return Stroke(
        bind(all_finite, position), (Sketch.standing([marker.sphere(key, position, color)]),)
    )


def axes(key: Key, position: Array, orientation: Array, color: Color) -> Stroke:
    """Return what draws a frame: `(3,)` where it is [m], `(4,)` quaternion xyzw."""
    points = np.zeros((6, 3))
    draw = bind(draw_axes, orientation, position, marker.AXIS_LENGTH, points)
    return Stroke(draw, (Sketch.standing([marker.axes(key, points, color)]),))


def arrows(key: Key, place: Array, value: Array, scale: float, color: Color) -> Stroke:
    """Return what draws a direction or a force `(3,)`, or a force and a moment `(6,)`.

    Args:
        key: Of the first arrow.
        place: `(3,)` where it begins [m].
        value: In the world; of a moment of zero there is no arrow.
        scale: From numbers to lengths.
        color: Of the first; that of a moment is fainter.
    """
    numbers = np.zeros((len(value) // FORCE, ARROW))
    numbers[:, SHAFT], numbers[:, HEAD] = marker.SHAFT, marker.HEAD
    first, *moment = numbers
    marks = [_arrow(key, first, color)]
    marks += [_arrow(key.after(MOMENT), own, color._replace(a=FAINT)) for own in moment]
    draw = bind(draw_arrows, value, place, float(scale), marker.HEAD_LENGTH, numbers)
    return Stroke(draw, tuple(Sketch.standing(marks[: i + 1]) for i in range(len(marks))))


def _arrow(key: Key, numbers: Array, color: Color) -> Marker:
    return Marker(key, marker.ARROW, color, numbers[:3], points=numbers[3:].reshape(2, 3))
