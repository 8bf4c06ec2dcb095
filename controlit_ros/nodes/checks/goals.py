"""Goals that no posture reaches, as can be seen without looking for one."""

from collections.abc import Iterator, Sequence

import numpy as np

from controlit_ros.configuration import KeyPath
from controlit_ros.constraints import ConstraintSet, ContactConstraint
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.model import RobotDescription, RobotModel, RobotState
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.tasks import Task
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.reach import PointTask, distance_to, leads_to_world_point, reach_of

ROUNDING = 1e-6  # [m, rad]


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
        elif leads_to_world_point(task):
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


def _beyond_reach(model: RobotModel, task: PointTask, anchor: ContactConstraint) -> str:
    """Say how much too far the goal is from where a contact holds the robot; empty: it is not."""
    site = anchor.site
    reach = reach_of(task, site.frame, site.point, holds_rotation=site.holds_rotation)
    held = model.placement(site.frame).act(reach.centre)
    distance = distance_to(task, task.goal.value, held)
    if distance <= reach.length + ROUNDING:
        return ""
    return (
        f"the goal is {distance:.3f} m from where {anchor.name} holds the robot, which is "
        f"{distance - reach.length:.3f} m out of reach of {task.body.value!r} in any posture"
    )
