"""How far a controlled point can be from a body, in any posture."""

from typing import NamedTuple, TypeAlias, TypeGuard

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import SLIDING
from controlit_ros.model.world import WORLD
from controlit_ros.tasks import Task
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition

PointTask: TypeAlias = CartesianPosition | CartesianPose


class Reach(NamedTuple):
    """A sphere that a controlled point cannot leave.

    Attributes:
        centre: `(3,)` in the frame of the body [m].
        length: Of all links between in a line, with sliding joints drawn out [m].
    """

    centre: Array
    length: float


def leads_to_world_point(task: Task) -> TypeGuard[PointTask]:
    """Tell whether a task brings a point of the robot to one of the world, turned or not."""
    if not isinstance(task, PointTask) or task.goal_frame.frame.value != WORLD:
        return False
    frame = task.robot.pinocchio.frames[task.robot.frame_id(task.body.value)]
    return bool(frame.parentJoint)  # 0 is a link before the floating base, which rests


def distance_to(task: PointTask, goal: Array, held: Array) -> float:
    """Return how far a goal is from a point, along the axes that the task acts on [m].

    Args:
        task: Whose goal it is.
        goal: `(3,)` or a pose, `(7,)`.
        held: `(3,)` in the world [m].
    """
    away = goal[:3] - held
    if task.projection is not None:
        away = task.projection[:, :3] @ away
    return float(np.linalg.norm(away))


def reach_of(task: PointTask, frame: int, point: Array, *, holds_rotation: bool) -> Reach:
    """Return where the controlled point can be while a point of a body stays.

    The sum of the lengths of all links between, from joint to joint. Where the body does not turn
    either, the first joint after it stays as well.

    Args:
        task: Controls the point.
        frame: Pinocchio's, of the body that is held.
        point: `(3,)` of that body, in the frame [m].
        holds_rotation: Whether the body does not turn.
    """
    model = task.robot.pinocchio
    first, last = model.frames[frame], model.frames[task.robot.frame_id(task.body.value)]
    up, down = _way(model, first.parentJoint, last.parentJoint)
    on_body = first.placement.act(point)
    end = last.placement.act(task.control_point.value)
    # points at which the way turns: on each body where it comes in and where it leaves
    lengths = [float(np.linalg.norm(on_body))] if up else []
    lengths += [_length(model, joint) for joint in up[:-1]]
    entry = model.jointPlacements[up[-1]].translation if up else on_body
    leave = model.jointPlacements[down[0]].translation if down else end
    if holds_rotation and not up:
        point = first.placement.actInv(leave)
    else:
        lengths.append(float(np.linalg.norm(leave - entry)))
    lengths += [_length(model, joint) for joint in down[1:]]
    if down:
        lengths.append(float(np.linalg.norm(end)))
    return Reach(point, sum(lengths) + sum(_travel(model, joint) for joint in (*up, *down)))


def _way(model: pin.Model, first: int, last: int) -> tuple[list[int], list[int]]:
    """Return the joints on the way up from a body to the common ancestor, and down from there."""
    above_first, above_last = list(model.supports[first]), list(model.supports[last])
    common = sum(1 for a, b in zip(above_first, above_last, strict=False) if a == b)
    return above_first[common:][::-1], above_last[common:]


def _length(model: pin.Model, joint: int) -> float:
    """Return how far a joint is from the one before it, at its zero [m]."""
    return float(np.linalg.norm(model.jointPlacements[joint].translation))


def _travel(model: pin.Model, joint: int) -> float:
    """Return how far a sliding joint can be drawn out from its zero [m]."""
    if not model.joints[joint].shortname().startswith(SLIDING):
        return 0.0
    index = model.joints[joint].idx_q
    ends = model.lowerPositionLimit[index], model.upperPositionLimit[index]
    return float(max(abs(end) for end in ends))
