"""Goals that no posture reaches, as can be seen without looking for one."""

from collections.abc import Iterator, Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.configuration import KeyPath
from controlit_ros.constraints import ConstraintSet, ContactConstraint
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.model import RobotDescription, RobotModel, RobotState
from controlit_ros.model.robot_description import WORLD
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.tasks import Task
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition

ROUNDING = 1e-6  # [m, rad]
SLIDING = "JointModelP"
"""How Pinocchio's names of sliding joints begin."""


def goal_warnings(
    robot: RobotDescription,
    constraints: ConstraintSet,
    tasks: Sequence[Task],
    start: RobotState,
) -> Findings:
    """Yield warnings about stated goals out of reach, each with its place.

    A point is out of reach when it is farther from where a contact holds the robot than all links
    between are long, with sliding joints drawn out; a joint, beyond its range.

    Args:
        robot: Its structure.
        constraints: Of the robot; those that hold at the start count.
        tasks: In the order of the file.
        start: Where the robot begins.
    """
    model = RobotModel(robot)
    model.update(start)
    anchors = [
        contact
        for contact in constraints.contacts
        if contact.is_enabled and not isinstance(contact, OmniWheelContact)
    ]
    for i, task in enumerate(tasks):
        if not task.goal.stated:
            continue
        path: KeyPath = ("tasks", i, task.goal.name)
        if isinstance(task, JointPosition):
            yield from ((path, text) for text in _beyond_range(task))
        elif isinstance(task, CartesianPosition) and task.goal_frame.frame.value == WORLD:
            texts = (_beyond_reach(model, task, anchor) for anchor in anchors)
            yield from ((path, text) for text in texts if text)


def _beyond_range(task: JointPosition) -> Iterator[str]:
    robot, goal = task.robot, task.goal.value
    lower, upper = (
        limits[robot.actuable_indices] for limits in (robot.lower_limits, robot.upper_limits)
    )
    is_beyond = (goal < lower - ROUNDING) | (goal > upper + ROUNDING)
    if task.projection is not None:
        is_beyond &= task.projection.any(axis=0)
    for j in np.flatnonzero(is_beyond).tolist():
        yield (
            f"the goal {goal[j]:g} of {robot.actuable_joints[j]!r} is out of its range, expected "
            f"{lower[j]:g} to {upper[j]:g}"
        )


def _beyond_reach(model: RobotModel, task: CartesianPosition, anchor: ContactConstraint) -> str:
    """Say how much too far the goal is from where a contact holds the robot; empty: it is not."""
    held, reach = _reach(model, task, anchor)
    away = task.goal.value - held
    if task.projection is not None:
        away = task.projection @ away
    distance = float(np.linalg.norm(away))
    if distance <= reach + ROUNDING:
        return ""
    return (
        f"the goal is {distance:.3f} m from where {anchor.name} holds the robot, which is "
        f"{distance - reach:.3f} m out of reach of {task.body.value!r} in any posture"
    )


def _reach(
    model: RobotModel, task: CartesianPosition, anchor: ContactConstraint
) -> tuple[Array, float]:
    """Return a point that stays, and how far from it the controlled point can be [m].

    With all links between in a line: the sum of their lengths from joint to joint. A contact that
    holds rotations lets the first joint after its body stay as well.
    """
    pinocchio = model.description.pinocchio
    first, last = pinocchio.frames[anchor.site.frame], pinocchio.frames[_frame(task)]
    up, down = _way(pinocchio, first.parentJoint, last.parentJoint)
    held = model.placement(anchor.site.frame).act(anchor.site.point)
    on_body = first.placement.act(anchor.site.point)
    end = last.placement.act(task.control_point.value)
    # points at which the way turns: on each body where it comes in and where it leaves
    lengths = [float(np.linalg.norm(on_body))] if up else []
    lengths += [_length(pinocchio, joint) for joint in up[:-1]]
    entry = pinocchio.jointPlacements[up[-1]].translation if up else on_body
    leave = pinocchio.jointPlacements[down[0]].translation if down else end
    turning = float(np.linalg.norm(leave - entry))
    travel = sum(_travel(pinocchio, joint) for joint in (*up, *down))
    if anchor.site.holds_rotation and not up:
        held = held + model.placement(anchor.site.frame).rotation @ (
            first.placement.rotation.T @ (leave - entry)
        )
        turning = 0.0
    lengths.append(turning)
    lengths += [_length(pinocchio, joint) for joint in down[1:]]
    if down:
        lengths.append(float(np.linalg.norm(end)))
    return held, sum(lengths) + travel


def _frame(task: CartesianPosition) -> int:
    return task.robot.frame_id(task.body.value)


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
