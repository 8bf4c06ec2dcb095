"""Gains without damping."""

import math
from collections.abc import Sequence

from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.tasks import Task
from controlit_ros.tasks.command_kind import CommandKind
from controlit_ros.tasks.control_law import LawKind


def gain_warnings(tasks: Sequence[Task]) -> Findings:
    """Yield warnings about tasks that have `kp` without `kd`, each with its place.

    Args:
        tasks: In the order of the file.
    """
    for i, task in enumerate(tasks):
        law = task.controller
        if law.kind is not LawKind.PID or task.command_kind is not CommandKind.ACCELERATION:
            continue
        if law.is_first_order:  # it comes to rest without
            continue
        kp, _, kd = (gain.value for gain in law.gains)
        undamped = (kp > 0.0) & (kd == 0.0)
        if task.projection is not None:
            undamped &= task.projection.any(axis=0)
        if undamped.any():
            largest = float(kp[undamped].max())
            text = (
                f"{task.name} has kp {largest:g} without kd: it swings about its goal for ever; "
                f"expected kd, which stops it at once where it is {2.0 * math.sqrt(largest):.3g}"
            )
            yield ("tasks", i), text
