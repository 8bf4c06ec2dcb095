"""Compiled kernels of the control law.

Each has a readable specification in NumPy: `range_factor` in `linear_algebra`, `project` in
`constraints.projections`, `prioritised_effort` in `controllers.recursion`, the others in their
docstrings and, for tests, in finite differences. They work on arrays their callers own and are
compiled once and cached.
"""

from controlit_ros.kernels.acceleration_bounds import acceleration_bounds
from controlit_ros.kernels.damped_factor import damped_factor
from controlit_ros.kernels.effort_cost import effort_cost
from controlit_ros.kernels.force_law import force_law
from controlit_ros.kernels.frame_motion import copy_motion, frame_motion, heading_motion
from controlit_ros.kernels.internal_effort import internal_effort
from controlit_ros.kernels.internal_model import internal_model
from controlit_ros.kernels.limits import is_near, is_within, keep_inside
from controlit_ros.kernels.pid import pid
from controlit_ros.kernels.prioritised_effort import prioritised_effort
from controlit_ros.kernels.project import project
from controlit_ros.kernels.range_factor import range_factor
from controlit_ros.kernels.reactions import contact_wrenches, reaction_map, sensed_wrench
from controlit_ros.kernels.relative_motion import relative_position, relative_rotation
from controlit_ros.kernels.rolling_motion import rolling_motion
from controlit_ros.kernels.sliding_mode import sliding_mode
from controlit_ros.kernels.task_commands import task_commands
from controlit_ros.kernels.unilateral import admit_rows, withhold_rows

__all__ = [
    "acceleration_bounds",
    "admit_rows",
    "contact_wrenches",
    "copy_motion",
    "damped_factor",
    "effort_cost",
    "force_law",
    "frame_motion",
    "heading_motion",
    "internal_effort",
    "internal_model",
    "is_near",
    "is_within",
    "keep_inside",
    "pid",
    "prioritised_effort",
    "project",
    "range_factor",
    "reaction_map",
    "relative_position",
    "relative_rotation",
    "rolling_motion",
    "sensed_wrench",
    "sliding_mode",
    "task_commands",
    "withhold_rows",
]
