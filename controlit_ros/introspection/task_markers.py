"""Markers of tasks: goal green, actual value blue."""

from collections.abc import Callable, Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.introspection import marker
from controlit_ros.introspection.joint_markers import effort_markers, limit_markers, posture_markers
from controlit_ros.introspection.marker import ACTUAL, BLUE, GOAL, GREEN, Color, Key, Marker
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.skeleton import Skeleton
from controlit_ros.introspection.views import (
    EffortView,
    LimitView,
    PostureView,
    SeenPart,
    ShapeView,
    TensionView,
)
from controlit_ros.model import RobotDescription
from controlit_ros.tasks import ShapeKind

Drawing = Callable[[Key, Array, Array, Color, float], Iterator[Marker]]

IDS = 10  # [#] for each shape of a task
MOMENT = 2  # [#] from the id of a force to that of its moment
OPPOSITE = 4  # [#] from the id of a force to that of its opposite at the other contact


class TaskMarkers:
    """Draws tasks.

    Args:
        robot: Structure of the robot.
        weight: Force that is drawn as an arrow of one metre [N].
    """

    def __init__(self, robot: RobotDescription, weight: float) -> None:
        self._skeleton = Skeleton(robot)
        self._weight = weight

    def draw(self, task: SeenPart, mirror: RobotMirror) -> Iterator[Marker]:
        """Draw a task; the model of the mirror is updated."""
        for number, shape in enumerate(task.shapes):
            key = Key(task.name, IDS * number)
            if isinstance(shape, PostureView):
                yield from posture_markers(key, shape, self._skeleton, mirror.state)
            elif isinstance(shape, LimitView):
                yield from limit_markers(key, shape, mirror.model.robot_model)
            elif isinstance(shape, EffortView):
                yield from effort_markers(key, shape, mirror.model.robot_model, self._weight)
            elif isinstance(shape, ShapeView | TensionView):
                yield from self._draw_in_space(key, shape)

    def _draw_in_space(self, key: Key, shape: ShapeView | TensionView) -> Iterator[Marker]:
        for role, value, color in ((GOAL, shape.goal, GREEN), (ACTUAL, shape.actual, BLUE)):
            if value is None or not np.isfinite(value).all():
                continue
            mine = key.after(role)
            if isinstance(shape, TensionView):
                yield from _tension(mine, value, shape.places, color, self._weight)
            else:
                draw = _DRAWINGS[shape.shape.kind]
                yield from draw(mine, value, shape.place, color, self._weight)


def wrench_markers(
    key: Key, wrench: Array, place: Array, color: Color, weight: float
) -> Iterator[Marker]:
    """Draw a force `(3,)`, or a force and a moment `(6,)`, at a place; no moment of zero."""
    yield marker.arrow(key, place, place + wrench[:3] / weight, color)
    if wrench[3:].any():
        other = key.after(MOMENT)
        yield marker.arrow(other, place, place + wrench[3:] / weight, color._replace(a=0.4))


def _tension(
    key: Key, wrench: Array, places: Array, color: Color, weight: float
) -> Iterator[Marker]:
    first, second = places
    other = key.after(OPPOSITE)
    yield from wrench_markers(key, wrench, first, color, weight)
    yield from wrench_markers(other, -wrench, second, color, weight)


def _point(key: Key, value: Array, _place: Array, color: Color, _weight: float) -> Iterator[Marker]:
    yield marker.sphere(key, value, color)


def _arrow(key: Key, value: Array, place: Array, color: Color, _weight: float) -> Iterator[Marker]:
    yield marker.arrow(key, place, place + marker.ARROW_LENGTH * value, color)


def _axes(key: Key, value: Array, place: Array, color: Color, _weight: float) -> Iterator[Marker]:
    yield marker.axes(key, place, value, color)


def _pose(key: Key, value: Array, _place: Array, color: Color, _weight: float) -> Iterator[Marker]:
    yield marker.axes(key, value[:3], value[3:], color)


_DRAWINGS: dict[ShapeKind, Drawing] = {
    ShapeKind.POINT: _point,
    ShapeKind.PLANE_POINT: _point,
    ShapeKind.DIRECTION: _arrow,
    ShapeKind.ORIENTATION: _axes,
    ShapeKind.POSE: _pose,
    ShapeKind.WRENCH: wrench_markers,
}
