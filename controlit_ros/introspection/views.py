"""What displays see of tasks: their shapes with numbers, in the world."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

import coal
import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import bind, seen_shape
from controlit_ros.kernels.seen_shape import (
    DIRECTION,
    ORIENTATION,
    PLANE_POINT,
    POINT,
    POSE,
    WRENCH,
)
from controlit_ros.model import RobotModel
from controlit_ros.parameters import Parameter
from controlit_ros.tasks import (
    AnyShape,
    DivergentShape,
    EffortShape,
    FootstepShape,
    LimitShape,
    OtherShape,
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

_ORIGIN: Array = np.zeros(3)
_NOTHING: Array = np.zeros(0)
_WORLD = (np.eye(3, order="F"), np.zeros(3), np.eye(4, 3))  # rotation, origin, frame in it
_KINDS = {
    ShapeKind.POINT: POINT,
    ShapeKind.PLANE_POINT: PLANE_POINT,
    ShapeKind.DIRECTION: DIRECTION,
    ShapeKind.ORIENTATION: ORIENTATION,
    ShapeKind.POSE: POSE,
    ShapeKind.WRENCH: WRENCH,
}
_WIDTHS = {
    ShapeKind.POINT: (3,),
    ShapeKind.PLANE_POINT: (2,),
    ShapeKind.DIRECTION: (3,),
    ShapeKind.ORIENTATION: (4,),
    ShapeKind.POSE: (7,),
    ShapeKind.WRENCH: (3, 6),
}


class ShapeView:
    """A shape with its numbers, which are in the world, of the kind that the shape tells.

    The numbers are always in the same memory, which `look` writes anew.

    Args:
        shape: What the task declared.
        known: Where the numbers stand that it is computed from, by identity (see `look_at`).
        model: Likewise.

    Attributes:
        shape: The same.
        goal: Its goal, if it has one.
        actual: Its actual value, if it has one.
        frame: Where the frame is that the task gives its numbers in.
        place: `(3,)` where directions, orientations and wrenches are drawn.
    """

    def __init__(self, shape: Shape, known: Mapping[int, Any], model: RobotModel) -> None:
        goal, actual = (
            None if parameter is None else np.ravel(known.get(id(parameter), _NOTHING))
            for parameter in (shape.goal, shape.actual)
        )
        has_point = shape.body is not None and shape.body_point is not None
        on_body = np.ravel(known.get(id(shape.body_point), _NOTHING)) if has_point else _ORIGIN
        self.shape = shape
        self.goal = None if goal is None else _seen_like(shape.kind, goal)
        self.actual = None if actual is None else _seen_like(shape.kind, actual)
        self.frame = Pose(np.zeros(3), np.zeros(4))
        self.place: Array = np.zeros(3)
        frame = _attached(shape.frame, model)
        if shape.latched is not None:
            frame = (*_WORLD[:2], known[id(shape.latched)])
        self._update: Callable[[], object] = partial(_refuse, shape)
        are_right = all(_fits(shape.kind, value) for value in (goal, actual))
        if are_right and on_body.shape == _ORIGIN.shape:
            self._update = bind(
                seen_shape,
                _KINDS[shape.kind],
                *(_NOTHING if value is None else value for value in (goal, actual)),
                *frame,
                *(frame if shape.body is None else _attached(shape.body, model)),
                on_body,
                *self.frame,
                self.place,
                *(_NOTHING if value is None else value for value in (self.goal, self.actual)),
            )

    def look(self) -> "ShapeView":
        """Write the numbers of the scene at hand.

        Raises:
            ValueError: The shape has too few numbers, or too many.
        """
        self._update()
        return self


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
    """Return the parameters that `look_at` must know of a part, each once.

    Args:
        switch: What tells whether it is seen at all; `None`: it always is.
        shapes: How it looks.
    """
    values = (switch, *(value for shape in shapes for value in shape))
    return list(dict.fromkeys(value for value in values if isinstance(value, Parameter)))


def points(shape: AnyShape) -> list[Array]:
    """Return the places on bodies, `(3,)` each, that `look_at` must know of a shape."""
    if isinstance(shape, TensionShape):
        return [site.point for site in shape.contacts]
    if isinstance(shape, Shape) and isinstance(shape.body_point, np.ndarray):
        return [shape.body_point]
    return []


def look_at(shape: AnyShape, known: Mapping[int, Any], model: RobotModel) -> Callable[[], AnyView]:
    """Return what tells how a shape looks in the scene at hand.

    Args:
        shape: What a task declared.
        known: By identity: the values of its parameters, its places on bodies, and of a latched
            frame `(4, 3)` rotation and position. Vectors stay in their memory.
        model: Updated for each scene.
    """
    if isinstance(shape, Shape):
        return _Look(shape, known, model)
    return partial(_see, shape, known, model)


class _Look:
    """Looks at a shape in space; what is wrong with one is told to who looks."""

    def __init__(self, shape: Shape, known: Mapping[int, Any], model: RobotModel) -> None:
        self._of = shape, known, model
        self._view: ShapeView | None = None

    def __call__(self) -> ShapeView:
        if self._view is None:
            self._view = ShapeView(*self._of)
        return self._view.look()


def _see(shape: OtherShape, known: Mapping[int, Any], model: RobotModel) -> AnyView:
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
    goal, actual = np.ravel(known[id(shape.goal)]), np.ravel(known[id(shape.actual)])
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


def _attached(frame: int | None, model: RobotModel) -> tuple[Array, Array, Array]:
    """Return rotation and origin of the joint that carries a frame, and the frame in it."""
    if frame is None:
        return _WORLD
    body = model.body(frame)
    return body.rotation, body.translation, body.frame


def _fits(kind: ShapeKind, value: Any) -> bool:
    return value is None or np.shape(value) in [(width,) for width in _WIDTHS[kind]]


def _seen_like(kind: ShapeKind, value: Any) -> Array:
    """Return memory for a value in the world."""
    return np.zeros(3 if kind is ShapeKind.PLANE_POINT else np.size(value))


def _refuse(shape: Shape) -> NoReturn:
    owner = shape.actual if shape.goal is None else shape.goal
    name = "a shape" if owner is None else f"the shape of {owner.name}"
    widths = " or ".join(map(str, _WIDTHS[shape.kind]))
    raise ValueError(
        f"{name}: expected goal and actual value of {widths} numbers, as of a {shape.kind.value}, "
        "and three of a place on a body"
    )
