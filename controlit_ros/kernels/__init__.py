"""Compiled kernels of the control law.

Each has a readable specification in NumPy: `independent_rows` in `linear_algebra`,
`project` in `constraints.projections`, `prioritised_effort` in `controllers.recursion`, the others
in their docstrings and, for tests, in finite differences. They work on arrays their callers own and
are compiled once and cached.
"""

from controlit_ros.kernels.acceleration_bounds import acceleration_bounds
from controlit_ros.kernels.approach import drive_reach, joint_bounds, least_gap_acceleration
from controlit_ros.kernels.bind import GIVEN, BoundKernel, BoundKernels, bind
from controlit_ros.kernels.caused_acceleration import caused_acceleration
from controlit_ros.kernels.center_of_mass import center_of_mass
from controlit_ros.kernels.chain import ask_python, chain, chain_from
from controlit_ros.kernels.constrain import constrain, constraint_rows
from controlit_ros.kernels.contact_trigger import contact_trigger
from controlit_ros.kernels.drawn_shape import draw_arrows, draw_axes, draw_bones, take_pose
from controlit_ros.kernels.effort_cost import effort_cost
from controlit_ros.kernels.encoder_residuals import check_encoders, expect_response
from controlit_ros.kernels.finite import all_finite, are_finite, is_finite_vector
from controlit_ros.kernels.flying_foot import seen_from, time_to
from controlit_ros.kernels.force_law import force_law
from controlit_ros.kernels.force_share import force_share
from controlit_ros.kernels.frame_motion import frame_motion
from controlit_ros.kernels.free_optimum import free_optimum
from controlit_ros.kernels.friction import friction_effort, observe_disturbance
from controlit_ros.kernels.generalised_cost import generalised_cost
from controlit_ros.kernels.held_back import held_back, keep_asked
from controlit_ros.kernels.held_base import hold_base
from controlit_ros.kernels.held_load import force_load, hold_load
from controlit_ros.kernels.hold_inside import hold_inside, pace_limits
from controlit_ros.kernels.implausible import implausible, incredible, not_followed
from controlit_ros.kernels.independent_rows import NOT_FINITE, independent_rows
from controlit_ros.kernels.internal_effort import internal_effort
from controlit_ros.kernels.internal_model import internal_model
from controlit_ros.kernels.joint_outlook import look_ahead
from controlit_ros.kernels.judge_measurement import judge_measurement
from controlit_ros.kernels.keep_inside import accelerate, keep_inside
from controlit_ros.kernels.lead_state import lead_state
from controlit_ros.kernels.leg_motion import leg_motion
from controlit_ros.kernels.level_coordinates import coordinates_left, level_coordinates
from controlit_ros.kernels.level_problem import (
    keep_met,
    level_problem,
    lock_rows,
    lock_suspected,
    most_beyond,
)
from controlit_ros.kernels.limits import is_near, is_within
from controlit_ros.kernels.missed_bound import missed_bound
from controlit_ros.kernels.offer_rows import offer_row, offer_rows
from controlit_ros.kernels.oscillation import shakes
from controlit_ros.kernels.pendulum_pieces import PARTS, first_dcm, pendulum_motion, pendulum_pieces
from controlit_ros.kernels.pid import pid
from controlit_ros.kernels.placed_points import placed_points
from controlit_ros.kernels.point_row import point_row
from controlit_ros.kernels.prioritised_effort import prioritised_effort
from controlit_ros.kernels.project import INDEFINITE, project
from controlit_ros.kernels.pseudo_inverse import least_squares, transposed_inverse
from controlit_ros.kernels.quintic_motion import quintic_motion, quintic_parts
from controlit_ros.kernels.reachable_step import reachable_step
from controlit_ros.kernels.reactions import (
    contact_rows,
    contact_wrenches,
    reaction_map,
    sensed_wrench,
)
from controlit_ros.kernels.relative_motion import relative_position, relative_rotation
from controlit_ros.kernels.remove_span import remove_span
from controlit_ros.kernels.rigid_bodies import rigid_bodies
from controlit_ros.kernels.rolling_motion import rolling_motion
from controlit_ros.kernels.rows_over_efforts import rows_over_efforts
from controlit_ros.kernels.saturation import (
    are_limits_kept,
    pin_worst,
    release_first_pin,
    report_pins,
    write_pins,
)
from controlit_ros.kernels.scaled_program import (
    COSTLESS,
    CROSSED,
    ENDLESS,
    READY,
    scale_back,
    scale_program,
)
from controlit_ros.kernels.seen_shape import seen_shape
from controlit_ros.kernels.singular_directions import write_reachable_commands
from controlit_ros.kernels.sliding_mode import sliding_mode
from controlit_ros.kernels.sole_goal import sole_goal
from controlit_ros.kernels.steady_damping import free_response, steady_damping, steady_gains
from controlit_ros.kernels.support_hull import support_hull
from controlit_ros.kernels.support_rows import support_rows
from controlit_ros.kernels.take_measurement import (
    accept_measurement,
    normalise_base,
    take_measurement,
)
from controlit_ros.kernels.task_commands import task_commands
from controlit_ros.kernels.task_motion import heading_motion, position_motion, rotation_motion
from controlit_ros.kernels.task_motions import task_motions
from controlit_ros.kernels.unilateral import admit_rows, withhold_rows
from controlit_ros.kernels.value_limits import (
    IN_RANGE,
    first_out_of_range,
    keep_values,
    restore_values,
)
