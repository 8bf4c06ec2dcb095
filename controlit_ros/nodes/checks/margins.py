"""Margins of joint limits that leave a joint no room."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.tasks import Task
from controlit_ros.tasks.joint_limit import JointLimit


def margin_warnings(tasks: Sequence[Task]) -> Findings:
    """Yield warnings about margins from both ends that meet, each with its place.

    Args:
        tasks: In the order of the file.
    """
    for i, task in enumerate(tasks):
        if not isinstance(task, JointLimit):
            continue
        half = task.half_range()
        covered = task.goal.value >= half
        if task.projection is not None:
            covered &= task.projection.any(axis=0)
        for j in np.flatnonzero(covered).tolist():
            text = (
                f"the margin {task.goal.value[j]:g} from both ends covers the whole range of "
                f"{task.goal.labels[j]!r}, which is held in the middle; expected less than "
                f"{half[j]:g}"
            )
            yield ("tasks", i, "margin"), text
