"""WBOSC: whole-body operational space control by prioritised projection."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.linear_algebra import symmetric_pseudo_inverse
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Kind
from controlit_ros.tasks.compound_task import CompoundTask

Array = npt.NDArray[np.float64]


class WBOSC(WholeBodyController):
    """Effort commands for prioritised tasks under constraints (paper section 3).

    For each level i, highest priority first, from `N*₀ = I`:

        J* = J_i UNc̄ N*    Λ* = (J* Φ J*ᵀ)⁺
        τ += J*ᵀ (Λ* u_i − Λ* J* Φ τ)
        N* ← (I − Φ J*ᵀ Λ* J*) N*

    and finally `τ += UNc̄ᵀ (B + G)`. With `velocity_bias`, `u_i` is the task's command minus
    `J̇ v` plus `J_i Jc̄ J̇c v`, so that commanded accelerations are exact at any velocity. Rows that
    command a force F contribute `J*ᵀ F`.

    Attributes:
        level_rank: `(max_rows,)` rank of each level at the last cycle, highest priority first.
        level_condition: `(max_rows,)` condition number of each level's kept part.
    """

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__(robot, max_rows)
        self.velocity_bias = self.declare(
            "velocity_bias",
            True,
            kind=Kind.BOOLEAN,
            description="compensate velocity-dependent accelerations of tasks and constraints",
        )
        self.level_rank = np.zeros(max_rows, dtype=np.int64)
        self.level_condition = np.ones(max_rows)
        self._identity: Array = np.eye(len(robot.command_joints))

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the effort command."""
        acceleration = tasks.command
        if self.velocity_bias.value:
            acceleration = acceleration - tasks.bias + tasks.jacobian @ model.drift
        effort = command.effort
        effort.fill(0.0)
        Phi, N = model.Phi, self._identity
        projected = tasks.jacobian @ model.UNc_bar
        for number, level in enumerate(tasks.levels):
            J = projected[level.rows] @ N
            J_Phi = J @ Phi
            inverse = symmetric_pseudo_inverse(J_Phi @ J.T)
            self.level_rank[number] = inverse.rank
            self.level_condition[number] = inverse.condition
            u = acceleration[level.rows]
            force = inverse.inverse @ (u - J_Phi @ effort)
            if level.has_force:
                wanted = tasks.command[level.rows]
                force = self._mixed_force(J, J_Phi, u, wanted, level.is_force, effort)
            effort += J.T @ force
            N = N - J_Phi.T @ (inverse.inverse @ (J @ N))
        effort += model.bias_effort

    @staticmethod
    def _mixed_force(
        J: Array,
        J_Phi: Array,
        acceleration: Array,
        force: Array,
        is_force: npt.NDArray[np.bool_],
        effort: Array,
    ) -> Array:
        """Return the operational force of a level some of whose rows command a force, `(rows,)`."""
        moves = ~is_force
        result: Array = force.copy()
        inertia = symmetric_pseudo_inverse(J_Phi[moves] @ J[moves].T).inverse
        result[moves] = inertia @ (acceleration[moves] - J_Phi[moves] @ effort)
        return result
