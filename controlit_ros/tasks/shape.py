"""Shape: how the goal and the actual value of a task look in space."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from controlit_ros.arrays import Array
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


_KINDS = {
    Quantity.POINT: ShapeKind.POINT,
    Quantity.VECTOR: ShapeKind.DIRECTION,
    Quantity.QUATERNION: ShapeKind.ORIENTATION,
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
