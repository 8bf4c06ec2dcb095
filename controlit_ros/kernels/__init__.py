"""Compiled kernels of the control law.

Each has a readable specification in NumPy: `range_factor` in `linear_algebra`, `project` in
`constraints.projections`, `prioritised_effort` in `controllers.recursion`, the others in their
docstrings and, for tests, in finite differences. They work on arrays their callers own and are
compiled once and cached.
"""

from controlit_ros.kernels.frame_motion import copy_motion, frame_motion, heading_motion
from controlit_ros.kernels.limits import is_within
from controlit_ros.kernels.pid import pid
from controlit_ros.kernels.prioritised_effort import prioritised_effort
from controlit_ros.kernels.project import project
from controlit_ros.kernels.range_factor import range_factor
from controlit_ros.kernels.task_commands import task_commands

__all__ = [
    "copy_motion",
    "frame_motion",
    "heading_motion",
    "is_within",
    "pid",
    "prioritised_effort",
    "project",
    "range_factor",
    "task_commands",
]
