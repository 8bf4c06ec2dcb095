"""GoalHandle: what a user drags to move goals."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.marker_pose import READINGS, pointing
from controlit_ros.introspection.views import Pose, ShapeView
from controlit_ros.kernels import take_pose
from controlit_ros.model import quaternion as quaternions
from controlit_ros.parameters import Access, Parameter, Quantity
from controlit_ros.tasks import ShapeKind

SEPARATOR = " + "
SAME = 1e-9  # [m, -] below what any display shows
_ORIGIN: Array = np.zeros(3)
_UPRIGHT: Array = np.array([0.0, 0.0, 0.0, 1.0])


class _DraggedGoal:
    """A goal of a task, and the frame it is given in.

    Args:
        view: Of the shape whose goal it is, in the scene at hand.
    """

    def __init__(self, view: ShapeView) -> None:
        assert view.shape.goal is not None
        assert view.goal is not None
        self.parameter: Parameter = view.shape.goal
        self.kind = view.shape.kind
        self.value, self.place = view.goal, view.place
        self._frame = view.frame
        self._kept = Pose(np.zeros(3), np.zeros(4))
        self._moves = view.shape.frame is not None or view.shape.latched is not None
        self._keep()

    @property
    def is_pose(self) -> bool:
        """Whether it is both a position and an orientation."""
        return self.kind is ShapeKind.POSE

    @property
    def orientation(self) -> Array:
        """How a marker is turned that stands for it, quaternion xyzw."""
        return pointing(self.value) if self.kind is ShapeKind.DIRECTION else self.value[-4:]

    def follow(self) -> None:
        """Take over where the frame is in the scene at hand."""
        if self._moves:
            self._keep()

    def of(self, pose: Any) -> Array:
        """Return what the goal is at a geometry_msgs/msg/Pose in the world."""
        quantity = self.parameter.quantity
        return _in_frame(quantity, READINGS[quantity](pose), self._kept)

    def _keep(self) -> None:
        take_pose(*self._frame, SAME, *self._kept)


class GoalHandle:
    """A pose that stands for the goals of up to two tasks of one body.

    Args:
        point: Name of a task and its goal that is a position, if there is one.
        turn: Those of a goal that is a direction or an orientation, if there is one; a goal that is
            a pose is both.

    Attributes:
        name: Names of the tasks.
        pose: Where the goals are, in the world.
        controls: Whether it has a position, and whether it has an orientation.
    """

    def __init__(
        self, point: tuple[str, ShapeView] | None, turn: tuple[str, ShapeView] | None
    ) -> None:
        self.name = SEPARATOR.join(dict.fromkeys(name for name, _ in filter(None, (point, turn))))
        self.pose = Pose(np.zeros(3), np.zeros(4))
        self.controls = (point is not None, turn is not None)
        self._point = None if point is None else _DraggedGoal(point[1])
        self._turn = None if turn is None else _DraggedGoal(turn[1])
        self.follow()

    def follow(self) -> bool:
        """Take over where the goals are in the scene at hand; return whether it has moved."""
        position, orientation = _ORIGIN, _UPRIGHT
        if self._turn is not None:
            self._turn.follow()
            position, orientation = self._turn.place, self._turn.orientation
        if self._point is not None:
            self._point.follow()
            position = self._point.value[:3]
        return take_pose(position, orientation, SAME, *self.pose)

    def replaces(self, before: "GoalHandle") -> bool:
        """Take the place of another of the same name; return whether that was elsewhere."""
        return take_pose(*self.pose, SAME, *before.pose)

    def goals(self, pose: Any, control: str) -> dict[Parameter, Array]:
        """Return what the goals are when the handle is at another pose.

        Args:
            pose: A geometry_msgs/msg/Pose in the world.
            control: Which control was dragged: `move...` leaves the orientation as it is,
                `rotate...` the position.
        """
        found = {}
        for goal, other in ((self._point, "rotate"), (self._turn, "move")):
            if goal is not None and (goal.is_pose or not control.startswith(other)):
                found[goal.parameter] = goal.of(pose)
        return found


def goal_handles(views: Iterable[tuple[str, ShapeView]]) -> Iterator[GoalHandle]:
    """Return handles for the goals that can be dragged: one for each body, where possible.

    A pose has one of its own.

    Args:
        views: Names of tasks and their shapes.
    """
    points: dict[int | str, tuple[str, ShapeView]] = {}
    turns: dict[int | str, tuple[str, ShapeView]] = {}
    for task, view in views:
        shape = view.shape
        if shape.goal is None or shape.goal.access is not Access.RUN_TIME:
            continue
        body = task if shape.body is None else shape.body
        if shape.kind is ShapeKind.POSE:
            points[task] = turns[task] = (task, view)
        elif shape.kind is ShapeKind.POINT:
            _add(points, body, task, view)
        elif shape.kind in (ShapeKind.DIRECTION, ShapeKind.ORIENTATION):
            _add(turns, body, task, view)
    for body in dict.fromkeys((*points, *turns)):
        yield GoalHandle(points.get(body), turns.get(body))


def _add(
    shapes: dict[int | str, tuple[str, ShapeView]], body: int | str, name: str, view: ShapeView
) -> None:
    """Give a shape the place of its body, or one of its own where that is taken."""
    shapes[body if body not in shapes else name] = (name, view)


def _in_frame(quantity: Quantity, value: Array, frame: Pose) -> Array:
    back = quaternions.conjugate(frame.orientation)
    if quantity is Quantity.POSE:
        place = quaternions.rotate(back, value[:3] - frame.position)
        return np.concatenate([place, quaternions.multiply(back, value[3:])])
    if quantity is Quantity.QUATERNION:
        return quaternions.multiply(back, value)
    return quaternions.rotate(back, value - frame.position if quantity is Quantity.POINT else value)
