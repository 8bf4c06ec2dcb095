"""ConstrainedModel: the robot's dynamics seen through its constraints."""

import numpy as np

from controlit_ros.constraints.constraint import Array
from controlit_ros.constraints.constraint_set import ConstraintSet
from controlit_ros.linear_algebra import symmetric_pseudo_inverse
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.robot_state import RobotState


class ConstrainedModel:
    """A model together with its constraint set's projections; the servo owns two of them.

        Λc = (Jc A⁻¹ Jcᵀ)⁺    Jc̄ = A⁻¹ Jcᵀ Λc    Nc = I − Jc̄ Jc
        UNc = U Nc    Φ = UNc A⁻¹ UNcᵀ    UNc̄ = A⁻¹ UNcᵀ Φ⁺

    Attributes:
        robot_model: Kinematics and dynamics.
        A_inv: `(nv, nv)`.
        Jc: `(nc, nv)` rows of the enabled constraints.
        Jc_bias: `(nc,)` `J̇c v`.
        Jc_bar: `(nv, nc)`.
        Nc: `(nv, nv)`.
        UNc: `(na, nv)`.
        Phi: `(na, na)`.
        UNc_bar: `(nv, na)`.
        drift: `(nv,)` `Jc̄ J̇c v`, minus the acceleration the constraints demand at this velocity.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`, with the gravity mask applied.
        rank: Independent constrained degrees of freedom.
    """

    def __init__(self, description: RobotDescription, constraints: ConstraintSet) -> None:
        self.robot_model = RobotModel(description)
        self.constraints = constraints
        nv, na = description.nv, len(description.command_joints)
        self._all_rows: Array = np.zeros((constraints.max_rows, nv))
        self._all_bias: Array = np.zeros(constraints.max_rows)
        self.A_inv: Array = np.zeros((nv, nv))
        self.Jc: Array = self._all_rows
        self.Jc_bias: Array = self._all_bias
        self.Jc_bar: Array = np.zeros((nv, constraints.max_rows))
        self.Nc: Array = np.eye(nv)
        self.UNc: Array = np.zeros((na, nv))
        self.Phi: Array = np.zeros((na, na))
        self.UNc_bar: Array = np.zeros((nv, na))
        self.drift: Array = np.zeros(nv)
        self.bias_effort: Array = np.zeros(na)
        self.rank = 0

    def update(self, state: RobotState) -> None:
        """Update model and projections to a measured state."""
        self.update_dynamics(state)
        self.update_projections()

    def update_dynamics(self, state: RobotState) -> None:
        """Update the model to a measured state; the first half of `update`."""
        self.robot_model.update(state)

    def update_projections(self) -> None:
        """Compute the projections at the model's state; the second half of `update`."""
        model = self.robot_model
        count = self.constraints.update(model, self._all_rows, self._all_bias)
        self.Jc, self.Jc_bias = self._all_rows[:count], self._all_bias[:count]
        self.A_inv = np.asarray(np.linalg.inv(model.A), dtype=np.float64)
        A_inv_JcT = self.A_inv @ self.Jc.T
        inverse = symmetric_pseudo_inverse(self.Jc @ A_inv_JcT)
        self.rank = inverse.rank
        self.Jc_bar = A_inv_JcT @ inverse.inverse
        self.Nc = np.eye(model.description.nv) - self.Jc_bar @ self.Jc
        self.UNc = self.Nc[model.description.command_dofs]
        A_inv_UNcT = self.A_inv @ self.UNc.T
        self.Phi = self.UNc @ A_inv_UNcT
        self.UNc_bar = A_inv_UNcT @ symmetric_pseudo_inverse(self.Phi).inverse
        self.drift = self.Jc_bar @ self.Jc_bias
        self.bias_effort = self.UNc_bar.T @ model.compensation
