"""Directions that joints and constraints leave a task none of."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, Constraint, ContactConstraint
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.situation import Situation
from controlit_ros.explanations.trials import Trials, components
from controlit_ros.explanations.words import direction, largest, listed
from controlit_ros.model import BASE_DOFS
from controlit_ros.tasks import CompoundTask, Task

LOST = (
    2e-3  # [-] of what joints do to a task at most: the control law gives up less than half of it
)
COUNTS = 0.2  # [-] of what is missing
DISABLED = "disable"


def kinematic_causes(trials: Trials, stack: CompoundTask, task: Task, short: Array) -> list[Cause]:
    """Tell why a task, were it alone, still could not move as it asks.

    Args:
        trials: Of the situation.
        stack: All tasks.
        task: The one; commands accelerations.
        short: `(rows,)` what is missing of its command.
    """
    situation = trials.situation
    place = stack.place(task)
    J = stack.jacobian[place]
    lost = _lost(J, situation.model, short)
    size = float(np.linalg.norm(lost))
    if size < COUNTS * np.linalg.norm(short):
        return []
    towards = direction(task, components(task, lost))
    unit = f"{task.controller.unit}/s²"
    forbidding = [
        constraint
        for constraint in situation.constraints.constraints
        if constraint.is_enabled
        and not _bolts(constraint, situation)
        and _frees(constraint, situation, J, lost)
    ]
    if forbidding:
        return [
            Cause(
                CauseKind.CONSTRAINT,
                constraint.name,
                f"constraint {constraint.name!r} lets nothing move along {towards}",
                size,
                unit,
            )
            for constraint in forbidding
        ]
    return [_of_joints(situation, J, lost, towards, unit)]


def lost_directions(J: Array, model: ConstrainedModel) -> Array:
    """Return what joints cannot do to rows under the constraints, orthonormal columns.

    Args:
        J: `(rows, nv)`; rows of one unit.
        model: Updated.
    """
    U, sizes, _ = np.linalg.svd(J @ model.task_map, full_matrices=True)
    reach, moved, _ = np.linalg.svd(J @ model.UNc_bar, full_matrices=True)
    kept = int(np.count_nonzero(sizes > LOST * max(sizes.max(initial=0.0), LOST)))
    moving = int(np.count_nonzero(moved > LOST * max(moved.max(initial=0.0), LOST)))
    lost: Array = U[:, kept:] if kept <= moving else reach[:, moving:]
    return lost


def _lost(J: Array, model: ConstrainedModel, short: Array) -> Array:
    """Return the part of a vector over rows that no joint moves."""
    lost = lost_directions(J, model)
    result: Array = lost @ (lost.T @ short)
    return result


def _of_joints(situation: Situation, J: Array, lost: Array, towards: str, unit: str) -> Cause:
    robot = situation.robot
    dofs = robot.command_dofs
    size = float(np.linalg.norm(lost))
    along = (lost / size) @ J
    moving = np.abs(J[:, dofs]).max(axis=0)
    if np.abs(along[dofs]).max(initial=0.0) > COUNTS * np.abs(J[:, dofs]).max(initial=0.0):
        text = f"the joints that would move {towards} have nothing to push against"
        return Cause(CauseKind.UNDERACTUATION, towards, text, size, unit)
    names = largest(robot.command_joints, moving)
    text = (
        f"in this posture no joint moves {towards}: its rows have lost the direction, whatever "
        f"{listed(names)} do" if names else f"no joint moves {towards}"
    )  # fmt: skip
    return Cause(CauseKind.SINGULARITY, towards, text, size, unit)


def _bolts(constraint: Constraint, situation: Situation) -> bool:
    """Tell whether a constraint holds the root link: without it a robot flies."""
    if not isinstance(constraint, ContactConstraint) or constraint.dimension != BASE_DOFS:
        return False
    return bool(constraint.body.value == situation.robot.root_link)


def _frees(constraint: Constraint, situation: Situation, J: Array, lost: Array) -> bool:
    """Tell whether what is lost would be there without a constraint."""
    with without(constraint, situation) as model:
        left = _lost(J, model, lost)
    return bool(np.linalg.norm(left) < (1.0 - COUNTS) * np.linalg.norm(lost))


@contextmanager
def without(constraint: Constraint, situation: Situation) -> Iterator[ConstrainedModel]:
    """Give a model without a constraint, which is back afterwards."""
    state = constraint.operational_state
    before, state.value = state.value, DISABLED
    try:
        model = ConstrainedModel(situation.robot, situation.constraints)
        model.update(situation.model.robot_model.state)
        yield model
    finally:
        state.value = before


__all__ = ["kinematic_causes", "lost_directions", "without"]
