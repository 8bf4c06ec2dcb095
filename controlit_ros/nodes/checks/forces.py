"""Forces that fight each other or other tasks, or that the joints do not have."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.servo import GuardSettings
from controlit_ros.tasks import ENABLE, CommandKind, Task
from controlit_ros.tasks.control_law import LawKind
from controlit_ros.tasks.task_state import TaskState

DEPENDENT = 1e-3  # [-] of unit rows: what is left of one beside the others
INVOLVED = 0.1  # [-] share of a row in what depends


class _ForceRow(NamedTuple):
    """One direction of a task.

    Attributes:
        task: Number of the task in the file.
        name: Of task and direction.
        jacobian: `(nv,)`.
    """

    task: int
    name: str
    jacobian: Array


def force_warnings(
    robot: RobotDescription,
    constraints: ConstraintSet,
    tasks: Sequence[Task],
    guard: GuardSettings,
    start: RobotState,
) -> Findings:
    """Yield place and text of warnings about the forces of enabled tasks where the robot begins.

    Args:
        robot: Its structure.
        constraints: Of the robot.
        tasks: In the order of the file.
        guard: Which limits are enforced.
        start: Where the robot begins.
    """
    enabled = {i: task for i, task in enumerate(tasks) if task.operational_state.value == ENABLE}
    kinds = {i: task.command_kind for i, task in enabled.items()}
    if not {CommandKind.FORCE, CommandKind.INTERNAL_FORCE} & set(kinds.values()):
        return
    model = ConstrainedModel(robot, constraints)
    state = RobotState(robot.real_joints, contacts=len(robot.contacts))
    state.position[:] = start.position
    state.base_position[:] = start.base_position
    state.base_orientation[:] = start.base_orientation
    try:
        model.update(state)
        expected = model.robot_model.state.contact_wrench
        model.write_contact_wrenches(model.bias_effort, expected)
        jacobians = {i: _jacobian(task, model) for i, task in enabled.items()}
    except ControlItError:
        return  # nothing can be said of a state that has no dynamics
    if not all(np.isfinite(jacobian).all() for jacobian in jacobians.values()):
        return
    internal = [i for i in enabled if kinds[i] is CommandKind.INTERNAL_FORCE]
    yield from _fights(_rows(internal, tasks, jacobians), model)
    for i in enabled:
        if kinds[i] is CommandKind.FORCE:
            yield from _leaders(i, enabled, jacobians)
    yield from _excess(enabled, jacobians, model, guard)


def _jacobian(task: Task, model: ConstrainedModel) -> Array:
    """Return the task's rows at a model, `(rows, nv)`, without changing the task."""
    nv = len(model.robot_model.v)
    state = TaskState.allocate(task.dimension, nv, task.actual.value.shape)
    task.update(model.robot_model, state)
    rows: Array = state.jacobian if task.projection is None else task.projection @ state.jacobian
    return rows


def _rows(
    chosen: Sequence[int], tasks: Sequence[Task], jacobians: dict[int, Array]
) -> list[_ForceRow]:
    return [
        _ForceRow(i, f"{tasks[i].name} {_direction(tasks[i], number)}", jacobian)
        for i in chosen
        for number, jacobian in enumerate(jacobians[i])
    ]


def _direction(task: Task, row: int) -> str:
    """Return what a row of a task is called."""
    labels = task.goal.labels
    P = np.eye(task.dimension) if task.projection is None else task.projection
    entry = int(np.argmax(np.abs(P[row])))
    is_axis = abs(P[row, entry]) > 1.0 - DEPENDENT and len(labels) == task.dimension
    return labels[entry] if is_axis else f"row {row}"


def _between_contacts(jacobian: Array, model: ConstrainedModel) -> Array:
    """Return what forces of the rows do between the contacts, `J Uᵀ L*`, `(rows, na)`."""
    rows = jacobian[:, model.robot_model.description.command_dofs]
    E = model.effort_map
    between: Array = rows - ((rows @ model.Phi) @ E) @ E.T
    return between


def _fights(rows: Sequence[_ForceRow], model: ConstrainedModel) -> Findings:
    """Yield the sets of internal forces that are the same force, but for signs and shares."""
    if not rows:
        return
    efforts = _between_contacts(np.vstack([row.jacobian for row in rows]), model)
    sizes = np.linalg.norm(efforts, axis=1)
    acting = np.flatnonzero(sizes > DEPENDENT * sizes.max())
    vectors, left, _ = np.linalg.svd(efforts[acting] / sizes[acting, None])
    found = np.count_nonzero(left > DEPENDENT)
    for lost in vectors[:, found:].T:
        involved = [rows[acting[k]] for k in np.flatnonzero(np.abs(lost) > INVOLVED)]
        names = ", ".join(row.name for row in involved)
        text = (
            f"{names} lead the same force between the contacts, and each undoes what the others "
            "do; expected axes that leave one of them out"
        )
        yield ("tasks", involved[-1].task), text


def _is_fed_forward(task: Task) -> bool:
    """Tell whether a task adds its goal to the forces between contacts."""
    is_internal = task.command_kind is CommandKind.INTERNAL_FORCE
    return is_internal and task.controller.kind is not LawKind.FORCE_FEEDBACK


def _leaders(push: int, enabled: dict[int, Task], jacobians: dict[int, Array]) -> Findings:
    """Yield the tasks that lead a body in the direction in which another pushes."""
    task = enabled[push]
    for i, other in enabled.items():
        is_below = other.priority.value < task.priority.value
        is_posture = len(jacobians[i]) >= len(other.robot.actuable_joints)
        is_other = other.command_kind is not CommandKind.ACCELERATION or other.is_unilateral
        if is_below or is_posture or is_other or not jacobians[i].any():
            continue
        for number, row in enumerate(jacobians[push]):
            share = np.linalg.lstsq(jacobians[i].T, row, rcond=None)[0]
            left = np.linalg.norm(row - jacobians[i].T @ share)
            if row.any() and left < DEPENDENT * np.linalg.norm(row):
                text = (
                    f"{other.name} leads {_direction(task, number)}, too, with no lower priority: "
                    "what it wants there adds to the force; expected axes of "
                    f"{other.name} that leave this direction out, or a higher priority of the force"
                )
                yield ("tasks", push), text


def _excess(
    enabled: dict[int, Task],
    jacobians: dict[int, Array],
    model: ConstrainedModel,
    guard: GuardSettings,
) -> Findings:
    """Yield the task that asks most of the joint that the forces stated ask too much of."""
    robot = model.robot_model.description
    limit = guard.limits(robot).effort
    shares: dict[int, Array] = {}
    for i, task in enabled.items():
        P = np.eye(task.dimension) if task.projection is None else task.projection
        goal = task.goal.value
        if task.command_kind is CommandKind.FORCE:
            shares[i] = model.UNc_bar.T @ (jacobians[i].T @ (P @ goal))
        elif _is_fed_forward(task):
            shares[i] = (P @ goal) @ _between_contacts(jacobians[i], model)
    if not shares:
        return
    forces = np.sum(list(shares.values()), axis=0)
    total = np.abs(model.bias_effort + forces)
    held = np.abs(model.bias_effort)
    beyond = np.where((total > limit) & (total > held) & (limit > 0.0), total / limit, 0.0)
    worst = int(np.argmax(beyond))
    if not beyond[worst]:
        return
    most = max(shares, key=lambda i: abs(float(shares[i][worst])))
    task = enabled[most]
    joint = robot.command_joints[worst]
    text = (
        f"found {abs(shares[most][worst]):.4g} of {joint!r} for this beside {held[worst]:.4g} to "
        "hold the robot where it begins, expected no more than its effort limit, "
        f"{limit[worst]:g}; the forces will be less than asked for"
    )
    yield ("tasks", most, task.goal.name), text
