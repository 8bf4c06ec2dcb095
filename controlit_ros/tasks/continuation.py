"""Continuation: a task that goes on where another one of its name was."""

import numpy as np

from controlit_ros.parameters import Access, Parameter, ParameterError
from controlit_ros.tasks.task import Task


def check_continues(task: Task, former: Task) -> None:
    """Check that a task can go on where another one is.

    Raises:
        ParameterError: It has other rows, or a parameter cannot have the value it has there.
    """
    if task.rows != former.rows:
        raise ParameterError(
            f"{task.name}: found {task.rows} rows, expected {former.rows} as before: remove the "
            "task and add it"
        )
    for parameter, theirs in _kept(task, former):
        if (theirs.kind, theirs.shape) != (parameter.kind, parameter.shape):
            raise ParameterError(
                f"{parameter.full_name}: found {parameter.expected}, expected {theirs.expected} as "
                "before: remove the task and add it"
            )
        parameter.validate(theirs.snapshot())


def continue_from(task: Task, former: Task) -> None:
    """Take over parameters, integral and latched frame, once `check_continues` had no objection.

    The goal is not latched when the task begins to act, though nobody may have stated one.
    """
    for parameter, theirs in _kept(task, former):
        parameter.assign(theirs.value)
        parameter.stated = theirs.stated
    law, integral = task.controller, former.controller.integral
    if law.integral.shape == integral.shape:
        np.copyto(law.integral, integral)
    mine, frame = task.goal_frame, former.goal_frame
    if mine is not None and mine.is_latched and frame is not None:
        mine.rest(frame.motion.rotation, frame.motion.position, task.epoch)
    task.continues = True


def heirs(task: Task, former: Task) -> dict[Parameter, Parameter]:
    """Return by parameter of the former task which one keeps its value."""
    return {theirs: parameter for parameter, theirs in _kept(task, former)}


def _kept(task: Task, former: Task) -> list[tuple[Parameter, Parameter]]:
    """Return the parameters that keep their values, each with that of the former task."""
    pairs = ((p, former.parameters.get(name)) for name, p in task.parameters.items())
    return [(p, t) for p, t in pairs if t is not None and p.access is Access.RUN_TIME]
