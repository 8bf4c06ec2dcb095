"""GoalHandle: what a user drags to move goals."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.marker_pose import READINGS, pointing
from controlit_ros.introspection.views import Pose, SeenPart, ShapeView
from controlit_ros.model import quaternion as quaternions
from controlit_ros.parameters import Access, Parameter, Quantity
from controlit_ros.tasks import ShapeKind

SEPARATOR = " + "


class DraggedGoal(NamedTuple):
    """A goal as it was in a scene.

    Attributes:
        parameter: The goal.
        is_pose: Whether it is both a position and an orientation.
        frame: The frame it is given in.
    """

    parameter: Parameter
    is_pose: bool
    frame: Pose


class GoalHandle(NamedTuple):
    """A pose that stands for the goals of up to two tasks of one body.

    Attributes:
        name: Names of the tasks.
        pose: Where the goals are, in the world.
        point: The goal that is a position, if there is one.
        turn: The goal that is a direction or an orientation, if there is one; a goal that is a pose
            is both.
    """

    name: str
    pose: Pose
    point: DraggedGoal | None
    turn: DraggedGoal | None

    def goals(self, pose: Any, control: str) -> dict[Parameter, Array]:
        """Return what the goals are when the handle is at another pose.

        Args:
            pose: A geometry_msgs/msg/Pose in the world.
            control: Which control was dragged: `move...` leaves the orientation as it is,
                `rotate...` the position.
        """
        found = {}
        for goal, other in ((self.point, "rotate"), (self.turn, "move")):
            if goal is None or (control.startswith(other) and not goal.is_pose):
                continue
            quantity = goal.parameter.quantity
            found[goal.parameter] = _in_frame(quantity, READINGS[quantity](pose), goal.frame)
        return found


def goal_handles(tasks: Sequence[SeenPart]) -> Iterator[GoalHandle]:
    """Return handles for the goals that can be dragged: one for each body, where possible.

    A pose has one of its own.
    """
    points: dict[int | str, tuple[str, ShapeView]] = {}
    turns: dict[int | str, tuple[str, ShapeView]] = {}
    for task in tasks:
        for shape in task.shapes:
            if not isinstance(shape, ShapeView):
                continue
            goal = shape.shape.goal
            if goal is None or goal.access is not Access.RUN_TIME or shape.goal is None:
                continue
            body = task.name if shape.shape.body is None else shape.shape.body
            if shape.shape.kind is ShapeKind.POSE:
                points[task.name] = turns[task.name] = (task.name, shape)
            elif shape.shape.kind is ShapeKind.POINT:
                _add(points, body, task.name, shape)
            elif shape.shape.kind in (ShapeKind.DIRECTION, ShapeKind.ORIENTATION):
                _add(turns, body, task.name, shape)
    for body in dict.fromkeys((*points, *turns)):
        yield _handle(points.get(body), turns.get(body))


def _add(
    shapes: dict[int | str, tuple[str, ShapeView]], body: int | str, name: str, shape: ShapeView
) -> None:
    """Give a shape the place of its body, or one of its own where that is taken."""
    shapes[body if body not in shapes else name] = (name, shape)


def _handle(point: tuple[str, ShapeView] | None, turn: tuple[str, ShapeView] | None) -> GoalHandle:
    names = dict.fromkeys(name for name, _ in filter(None, (point, turn)))
    position, orientation = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])
    if turn is not None and turn[1].goal is not None:
        position = turn[1].place
        is_direction = turn[1].shape.kind is ShapeKind.DIRECTION
        orientation = pointing(turn[1].goal) if is_direction else turn[1].goal[-4:]
    if point is not None and point[1].goal is not None:
        position = point[1].goal[:3]
    return GoalHandle(
        SEPARATOR.join(names),
        Pose(position.copy(), orientation.copy()),
        None if point is None else _dragged(point[1]),
        None if turn is None else _dragged(turn[1]),
    )


def _dragged(view: ShapeView) -> DraggedGoal:
    shape, frame = view.shape, view.frame
    assert shape.goal is not None
    kept = Pose(frame.position.copy(), frame.orientation.copy())
    return DraggedGoal(shape.goal, shape.kind is ShapeKind.POSE, kept)


def _in_frame(quantity: Quantity, value: Array, frame: Pose) -> Array:
    back = quaternions.conjugate(frame.orientation)
    if quantity is Quantity.POSE:
        place = quaternions.rotate(back, value[:3] - frame.position)
        return np.concatenate([place, quaternions.multiply(back, value[3:])])
    if quantity is Quantity.QUATERNION:
        return quaternions.multiply(back, value)
    return quaternions.rotate(back, value - frame.position if quantity is Quantity.POINT else value)
