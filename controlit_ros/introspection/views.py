"""What displays see of tasks: their shapes with numbers, in the world."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Indices
from controlit_ros.model import RobotModel
from controlit_ros.model import quaternion as quaternions
from controlit_ros.parameters import Parameter
from controlit_ros.tasks import (
    AnyShape,
    DivergentShape,
    EffortShape,
    FootstepShape,
    LimitShape,
    PlaneShape,
    PostureShape,
    Shape,
    ShapeKind,
    SolidShape,
    TensionShape,
)


class Pose(NamedTuple):
    """A frame in the world.

    Attributes:
        position: `(3,)` [m].
        orientation: `(4,)` quaternion xyzw.
    """

    position: Array
    orientation: Array


_UP: Array = np.array([0.0, 0.0, 1.0])
_BELOW = coal.Halfspace(_UP, 0.0)
_CORNERS: Array = np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]])

WORLD_POSE = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))


class ShapeView(NamedTuple):
    """A shape with its numbers, which are in the world, of the kind that the shape tells.

    Attributes:
        shape: What the task declared.
        goal: Its goal, if it has one.
        actual: Its actual value, if it has one.
        frame: Where the frame is that the task gives its numbers in.
        place: `(3,)` where directions, orientations and wrenches are drawn.
    """

    shape: Shape
    goal: Array | None
    actual: Array | None
    frame: Pose
    place: Array


class PostureView(NamedTuple):
    """A posture with its numbers.

    Attributes:
        joints: `(n,)` indices of real joints.
        goal: `(n,)` where the task wants them; as they are where it does not act [rad] or [m].
        actual: `(n,)` where they are [rad] or [m].
    """

    joints: Indices
    goal: Array
    actual: Array


class LimitView(NamedTuple):
    """A joint that keeps away from its limits.

    Attributes:
        joint: Index of the real joint.
        margin: Distance to keep from the nearer limit [rad] or [m].
        distance: That distance now [rad] or [m].
        is_held: Whether it is held off.
    """

    joint: int
    margin: float
    distance: float
    is_held: bool


class EffortView(NamedTuple):
    """The effort of a joint.

    Attributes:
        joint: Index of the real joint.
        goal: What the joint is to exert [N m] or [N].
        actual: What it exerts [N m] or [N].
    """

    joint: int
    goal: float
    actual: float


class TensionView(NamedTuple):
    """Force and moment between two contacts.

    Attributes:
        goal: `(6,)` what the first contact is to exert on the world, whose opposite the second
            exerts: force, then moment, world axes [N, N m].
        actual: `(6,)` what it exerts because of the second [N, N m].
        places: `(2, 3)` where the contacts are [m].
    """

    goal: Array
    actual: Array
    places: Array


class SolidView(NamedTuple):
    """A thing in the world that is no part of the robot.

    Attributes:
        pose: Where it is.
        parts: Shapes, and where each is in it; of a half space everything below its z = 0 counts.
    """

    pose: Pose
    parts: tuple[tuple[coal.CollisionGeometry, pin.SE3], ...]


class DivergentView(NamedTuple):
    """The divergent component of motion.

    Attributes:
        goal: `(3,)` where it shall be [m].
        actual: `(3,)` where it is [m].
    """

    goal: Array
    actual: Array


class FootstepView(NamedTuple):
    """A foot that is going to stand.

    Attributes:
        corners: `(4, 3)` of its sole in the world, in turn [m].
    """

    corners: Array


AnyView = (
    ShapeView
    | PostureView
    | LimitView
    | EffortView
    | TensionView
    | SolidView
    | DivergentView
    | FootstepView
)


class SeenPart(NamedTuple):
    """A task that is enabled or senses, or another part that is seen in space."""

    name: str
    shapes: tuple[AnyView, ...]


def sampled(switch: Parameter | None, shapes: Sequence[AnyShape]) -> list[Parameter]:
    """Return the parameters that `see` must know of a part, each once.

    Args:
        switch: What tells whether it is seen at all; `None`: it always is.
        shapes: How it looks.
    """
    values = (switch, *(value for shape in shapes for value in shape))
    return list(dict.fromkeys(value for value in values if isinstance(value, Parameter)))


def points(shape: AnyShape) -> list[Array]:
    """Return the places on bodies, `(3,)` each, that `see` must know of a shape."""
    if isinstance(shape, TensionShape):
        return [site.point for site in shape.contacts]
    if isinstance(shape, Shape) and isinstance(shape.body_point, np.ndarray):
        return [shape.body_point]
    return []


def see(shape: AnyShape, known: Mapping[int, Any], model: RobotModel) -> AnyView:
    """Return a shape with its numbers.

    Args:
        shape: What a task declared.
        known: By identity: the values of its parameters, its places on bodies, and the pose where
            a latched frame rests.
        model: Updated.
    """
    if isinstance(shape, PostureShape):
        return _see_posture(shape, known)
    if isinstance(shape, LimitShape):
        margin, distance, acts = (known[id(p)][shape.row] for p in shape[:3])
        return LimitView(shape.joint, float(margin), float(distance), bool(acts > 0.0))
    if isinstance(shape, EffortShape):
        goal, actual = (float(known[id(p)][shape.row]) for p in shape[:2])
        return EffortView(shape.joint, goal, actual)
    if isinstance(shape, TensionShape):
        return _see_tension(shape, known, model)
    if isinstance(shape, Shape):
        return _see_shape(shape, known, model)
    return _see_surroundings(shape, known)


def _see_surroundings(
    shape: SolidShape | PlaneShape | DivergentShape | FootstepShape, known: Mapping[int, Any]
) -> AnyView:
    first, second = known[id(shape[0])], known[id(shape[1])]
    if isinstance(shape, SolidShape):
        return SolidView(Pose(first, second), shape.parts)
    if isinstance(shape, PlaneShape):
        turn = pin.Quaternion.FromTwoVectors(_UP, second)
        return SolidView(Pose(first, turn.coeffs()), ((_BELOW, pin.SE3.Identity()),))
    if isinstance(shape, DivergentShape):
        return DivergentView(first, second)
    rotation = pin.rpy.rpyToMatrix(0.0, 0.0, second)
    corners = (_CORNERS * [*known[id(shape.half_size)], 0.0]) @ rotation.T
    corners[:, 2] = corners[:, :2] @ known[id(shape.slope)]
    return FootstepView(first + corners)


def _see_posture(shape: PostureShape, known: Mapping[int, Any]) -> PostureView:
    goal, actual = known[id(shape.goal)], known[id(shape.actual)]
    if shape.projection is not None:
        goal = actual + shape.projection.T @ (shape.projection @ (goal - actual))
    return PostureView(shape.joints, goal, actual)


def _see_tension(shape: TensionShape, known: Mapping[int, Any], model: RobotModel) -> TensionView:
    first, second = (
        model.placement(site.frame).act(known[id(site.point)]) for site in shape.contacts
    )
    line = second - first
    line /= np.linalg.norm(line) or 1.0
    goal, actual = (
        np.concatenate([value[0] * line, value[1:]])
        for value in (known[id(shape.goal)], known[id(shape.actual)])
    )
    return TensionView(goal, actual, np.array([first, second]))


def _see_shape(shape: Shape, known: Mapping[int, Any], model: RobotModel) -> ShapeView:
    latched = shape.latched
    frame = _pose(model, shape.frame) if latched is None else known[id(latched)]
    place = frame.position
    if shape.body is not None:
        body = _pose(model, shape.body)
        point = shape.body_point
        place = body.position
        if point is not None:
            place = place + quaternions.rotate(body.orientation, known[id(point)])
    origin = frame._replace(position=place) if shape.kind is ShapeKind.PLANE_POINT else frame
    goal, actual = (
        None if parameter is None else _in_world(shape.kind, known[id(parameter)], origin)
        for parameter in (shape.goal, shape.actual)
    )
    return ShapeView(shape, goal, actual, frame, place)


def _pose(model: RobotModel, frame: int | None) -> Pose:
    if frame is None:
        return WORLD_POSE
    placement = model.placement(frame)
    return Pose(placement.translation.copy(), pin.Quaternion(placement.rotation).coeffs())


def _in_world(kind: ShapeKind, value: Array, frame: Pose) -> Array:
    if kind is ShapeKind.ORIENTATION:
        return quaternions.multiply(frame.orientation, value)
    if kind is ShapeKind.POSE:
        place = frame.position + quaternions.rotate(frame.orientation, value[:3])
        return np.concatenate([place, quaternions.multiply(frame.orientation, value[3:])])
    if kind is ShapeKind.PLANE_POINT:
        value = np.array([*value, 0.0])
    turned = [quaternions.rotate(frame.orientation, part) for part in value.reshape(-1, 3)]
    if kind in (ShapeKind.POINT, ShapeKind.PLANE_POINT):
        turned[0] += frame.position
    return np.concatenate(turned)
