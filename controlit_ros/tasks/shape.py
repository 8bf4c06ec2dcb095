"""Shapes: how the goal and the actual value of a task look in space."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

import coal
import pinocchio as pin

from controlit_ros.arrays import Array, Indices
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.tasks.goal_frame import GoalFrame


class ShapeKind(Enum):
    """What the numbers of a shape are."""

    POINT = "point"
    """`(3,)` a position [m]."""
    PLANE_POINT = "plane point"
    """`(2,)` a position in the plane z = 0 of the frame, seen from the place on the body [m]."""
    DIRECTION = "direction"
    """`(3,)` a unit vector."""
    ORIENTATION = "orientation"
    """`(4,)` a quaternion xyzw."""
    POSE = "pose"
    """`(7,)` a position [m], then a quaternion xyzw."""
    WRENCH = "wrench"
    """`(3,)` a force [N], or `(6,)` a force and a moment [N, N m]."""


class Shape(NamedTuple):
    """What a display draws for a task: its goal and its actual value, of one kind.

    Attributes:
        kind: What the numbers are.
        goal: Where the task is to go; `None` if that is not seen.
        actual: Where it is; `None` if that is not seen.
        frame: Frame the numbers are given in, see `RobotDescription.frame_id`; `None`: world.
        latched: Where that frame rests if it does not move with its body; read by the servo thread.
        body: Frame of the body where directions, orientations and wrenches are drawn, and which
            carries a point; `None`: no body.
        body_point: `(3,)` the place on it, in its frame [m], fixed or a parameter; `None`: its
            origin.
    """

    kind: ShapeKind
    goal: Parameter | None
    actual: Parameter | None
    frame: int | None = None
    latched: FramePoint | None = None
    body: int | None = None
    body_point: Parameter | Array | None = None


class PostureShape(NamedTuple):
    """What a display draws of a posture: the robot as it shall be, and as it is.

    Attributes:
        goal: `(n,)` where the joints are to go [rad] or [m].
        actual: `(n,)` where they are [rad] or [m].
        joints: `(n,)` which joints those are, indices of real joints.
        projection: `(rows, n)` orthonormal directions of the joints' space that the task acts on;
            `None`: all. The rest of the goal means nothing.
    """

    goal: Parameter
    actual: Parameter
    joints: Indices
    projection: Array | None = None


class LimitShape(NamedTuple):
    """What a display draws of a joint that shall keep away from its limits.

    Attributes:
        goal: Distances to keep from the nearer limits [rad] or [m].
        actual: Those distances now [rad] or [m].
        acts: Above zero where a joint is held off its limit.
        row: Which entry of these vectors is the joint's.
        joint: Index of the real joint.
    """

    goal: Parameter
    actual: Parameter
    acts: Parameter
    row: int
    joint: int


class EffortShape(NamedTuple):
    """What a display draws of the effort of a joint.

    Attributes:
        goal: Efforts to exert [N m] or [N].
        actual: Those exerted [N m] or [N].
        row: Which entry of these vectors is the joint's.
        joint: Index of the real joint.
    """

    goal: Parameter
    actual: Parameter
    row: int
    joint: int


class TensionShape(NamedTuple):
    """What a display draws of the force and the moment between two contacts.

    The first contact exerts the force along the line to the second, and the moment; the second
    exerts the opposite of both.

    Attributes:
        goal: `(4,)` force, then moment in world axes [N, N m].
        actual: `(4,)` what they are [N, N m].
        contacts: The first and the second.
    """

    goal: Parameter
    actual: Parameter
    contacts: tuple[ContactSite, ContactSite]


class SolidShape(NamedTuple):
    """What a display draws of a thing in the world, which is no part of the robot.

    Attributes:
        position: `(3,)` of its origin in the world [m].
        orientation: `(4,)` quaternion xyzw of it.
        parts: Shapes, and where each is in it.
    """

    position: Parameter
    orientation: Parameter
    parts: tuple[tuple[coal.CollisionGeometry, pin.SE3], ...]


class PlaneShape(NamedTuple):
    """What a display draws of a plane in the world.

    Attributes:
        point: `(3,)` one of it [m].
        normal: `(3,)` unit vector to the side that is free.
    """

    point: Parameter
    normal: Parameter


class DivergentShape(NamedTuple):
    """What a display draws of the divergent component of a robot's motion.

    Attributes:
        goal: `(3,)` where it shall be in the world [m].
        actual: `(3,)` where it is [m].
    """

    goal: Parameter
    actual: Parameter


class FootstepShape(NamedTuple):
    """What a display draws of a foot that is going to stand.

    Attributes:
        position: `(3,)` of the sole's contact point in the world [m].
        yaw: About z [rad]; not a number: no foot is going to.
        slope: `(2,)` how the ground rises there along x and y of the world [-].
        half_size: `(2,)` half length and half width of the sole [m].
    """

    position: Parameter
    yaw: Parameter
    slope: Parameter
    half_size: Parameter


OtherShape = (
    PostureShape
    | LimitShape
    | EffortShape
    | TensionShape
    | SolidShape
    | PlaneShape
    | DivergentShape
    | FootstepShape
)
AnyShape = Shape | OtherShape

_KINDS = {
    Quantity.POINT: ShapeKind.POINT,
    Quantity.VECTOR: ShapeKind.DIRECTION,
    Quantity.QUATERNION: ShapeKind.ORIENTATION,
    Quantity.POSE: ShapeKind.POSE,
}


def shapes_by_names(
    parameters: Mapping[str, Parameter],
    goal: Parameter,
    actual: Parameter,
    goal_frame: GoalFrame | None,
    robot: RobotDescription,
    kind: ShapeKind | None = None,
) -> tuple[Shape, ...]:
    """Return the shape that follows from what the goal is and from how parameters are called.

    `body` and `control_point` tell the place; the kind follows from the quantity if not given.
    """
    kind = _KINDS.get(goal.quantity) if kind is None else kind
    if kind is None:
        return ()
    shape = Shape(kind, goal, actual, body_point=parameters.get("control_point"))
    if "body" in parameters:
        shape = shape._replace(body=robot.frame_id(parameters["body"].value))
    if goal_frame is None or goal_frame.is_world:
        return (shape,)
    if goal_frame.is_latched:
        return (shape._replace(latched=goal_frame.motion),)
    return (shape._replace(frame=robot.frame_id(goal_frame.frame.value)),)
