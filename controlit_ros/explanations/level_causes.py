"""What other tasks take from a task."""

from collections.abc import Iterator, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.trials import Trials, components, is_force
from controlit_ros.explanations.words import direction, largest, listed
from controlit_ros.tasks import Task

PART = 0.2  # [-] of what is missing must be there without a task for it to be a cause


def level_causes(trials: Trials, task: Task, short: Array) -> list[Cause]:
    """Tell which tasks of its level and above take what is missing of a task, each by itself.

    Where no single one does, those above are named together.

    Args:
        trials: Of the situation.
        task: The one.
        short: `(rows,)` what is missing of its command.
    """
    rivals = [
        other
        for other in trials.enabled
        if other is not task and other.priority.value >= task.priority.value and not is_force(other)
    ]
    missing = float(np.linalg.norm(short))
    towards = direction(task, components(task, short))
    unit = f"{task.controller.unit}/s²"
    gains = [missing - trials.shortfall(trials.without(rival), task) for rival in rivals]
    found = [
        _cause(task, rival, towards, gain, unit)
        for rival, gain in zip(rivals, gains, strict=True)
        if gain > PART * missing
    ]
    if found or not rivals:
        return sorted(found, key=lambda cause: -cause.value)
    return list(_together(trials, task, rivals, missing, towards))


def _cause(task: Task, rival: Task, towards: str, gain: float, unit: str) -> Cause:
    if rival.is_unilateral:
        held = acting(rival)
        text = f"{rival.name} keeps {listed(held) or 'joints'} from the end of the range"
        return Cause(
            CauseKind.JOINT_LIMIT, rival.name, f"{text}, which takes {towards}", gain, unit
        )
    if rival.priority.value == task.priority.value:
        text = f"{rival.name} of the same level wants something else of {towards}"
        return Cause(CauseKind.LEVEL, rival.name, text, gain, unit)
    text = f"{rival.name} of the level above ({rival.priority.value}) takes {towards}"
    return Cause(CauseKind.PRIORITY, rival.name, text, gain, unit)


def _together(
    trials: Trials, task: Task, rivals: Sequence[Task], missing: float, towards: str
) -> Iterator[Cause]:
    gain = missing - trials.shortfall(trials.without(*rivals), task)
    if gain > PART * missing:
        names = listed([rival.name for rival in rivals])
        unit = f"{task.controller.unit}/s²"
        text = f"{names} together take {towards}"
        yield Cause(CauseKind.PRIORITY, names, text, gain, unit)


def acting(task: Task) -> list[str]:
    """Return the joints that a task like `JointLimit` holds off a limit."""
    if task.acts is None:
        return []
    names = task.component_names
    return largest(names, task.acts.value) if task.acts.value.any() else []
