"""What gravity takes of the joints' efforts."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.constraint_set import ConstraintSet
from controlit_ros.constraints.projections import compute_projections
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.robot_state import RobotState


def holding_effort(robot: RobotDescription, constraints: ConstraintSet, state: RobotState) -> Array:
    """Return the effort that compensates gravity through the enabled constraints.

        UNc̄ᵀ G

    with the gravity mask applied; masters carry what their slaves carry, and legs of a robot on
    its feet what stands on them. Computed from the definitions, so that no kernel is compiled.

    Args:
        robot: Its structure.
        constraints: Those that hold count.
        state: Where the robot is; its velocity does not count.

    Returns:
        `(na,)` of the command joints [N m] or [N].

    Raises:
        ModelError: The joint space inertia is not positive definite.
    """
    model = RobotModel(robot)
    still = RobotState(state.joint_names)
    still.position[:] = state.position
    still.base_position[:] = state.base_position
    still.base_orientation[:] = state.base_orientation
    model.update(still)
    rows, bias = np.zeros((constraints.max_rows, robot.nv)), np.zeros(constraints.max_rows)
    count = constraints.update(model, rows, bias)
    try:
        projections = compute_projections(model.A, rows[:count], robot.command_dofs)
    except np.linalg.LinAlgError:
        raise ModelError("the joint space inertia A is not positive definite") from None
    effort: Array = projections.UNc_bar.T @ (robot.gravity_mask * model.G)
    return effort
