"""ConstrainedModel: the robot's dynamics seen through its constraints."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints.constraint_set import ConstraintSet
from controlit_ros.constraints.projections import Projections, compute_projections
from controlit_ros.kernels import project
from controlit_ros.model.robot_description import ModelError, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.robot_state import RobotState

Array = npt.NDArray[np.float64]


class ConstrainedModel:
    """A model together with what its constraints make of it; the servo owns two of them.

    The servo needs the projections only in factored form (see `kernels.project`); `projections`
    computes them as they are written, for tests and for people.

    Attributes:
        robot_model: Kinematics and dynamics.
        Jc: `(nc, nv)` rows of the enabled constraints.
        Jc_bias: `(nc,)` `J̇c v`.
        rank: Independent constrained degrees of freedom.
        task_map: `(nv, rank of Φ)` T, with `UNc̄ = T Eφᵀ`.
        effort_map: `(na, rank of Φ)` Eφ, with `Φ⁺ = Eφ Eφᵀ`.
        drift: `(nv,)` `Jc̄ J̇c v`, minus the acceleration the constraints demand at this velocity.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`, with the gravity mask applied [N m].
    """

    def __init__(self, description: RobotDescription, constraints: ConstraintSet) -> None:
        self.robot_model = RobotModel(description)
        self.constraints = constraints
        nv, na, nc = description.nv, len(description.command_joints), constraints.max_rows
        self._all_rows: Array = np.zeros((nc, nv))
        self._all_bias: Array = np.zeros(nc)
        self.Jc, self.Jc_bias = self._all_rows, self._all_bias
        self.rank = 0
        self._task_map: Array = np.zeros((nv, na))
        self._effort_map: Array = np.zeros((na, na))
        self.task_map, self.effort_map = self._task_map, self._effort_map
        self.drift: Array = np.zeros(nv)
        self.bias_effort: Array = np.zeros(na)
        self._A_work: Array = np.zeros((nv, nv))
        self._work = (
            np.zeros((2, max(nv, nc), nv)),
            np.zeros((3, max(nv, nc), max(na, nc))),
            np.zeros((6, nc, nc)),
            np.zeros((5, na, na)),
        )

    @property
    def projections(self) -> Projections:
        """The projections at the model's state, newly computed from their definitions."""
        model = self.robot_model
        return compute_projections(model.A, self.Jc, model.description.command_dofs)

    @property
    def A_inv(self) -> Array:  # noqa: N802
        """See `Projections`."""
        return self.projections.A_inv

    @property
    def Jc_bar(self) -> Array:  # noqa: N802
        """See `Projections`."""
        return self.projections.Jc_bar

    @property
    def Nc(self) -> Array:  # noqa: N802
        """See `Projections`."""
        return self.projections.Nc

    @property
    def UNc(self) -> Array:  # noqa: N802
        """See `Projections`."""
        return self.projections.UNc

    @property
    def Phi(self) -> Array:  # noqa: N802
        """See `Projections`."""
        return self.projections.Phi

    @property
    def UNc_bar(self) -> Array:  # noqa: N802
        """`UNc̄ = T Eφᵀ`, `(nv, na)`, from the factored form."""
        inverse: Array = self.task_map @ self.effort_map.T
        return inverse

    def update(self, state: RobotState) -> None:
        """Update model and projections to a measured state."""
        self.update_dynamics(state)
        self.update_projections()

    def update_dynamics(self, state: RobotState) -> None:
        """Update the model to a measured state; the first half of `update`."""
        self.robot_model.update(state)

    def update_projections(self) -> None:
        """Factor the projections at the model's state; the second half of `update`.

        Raises:
            ModelError: The joint space inertia is not positive definite.
        """
        model = self.robot_model
        count = self.constraints.update(model, self._all_rows, self._all_bias)
        self.Jc, self.Jc_bias = self._all_rows[:count], self._all_bias[:count]
        nv_work, wide_work, nc_work, na_work = self._work
        np.copyto(self._A_work, model.A)
        self.rank, width = project(
            self._A_work,
            self.Jc,
            self.Jc_bias,
            model.description.command_dofs,
            self._task_map,
            self._effort_map,
            self.drift,
            model.compensation,
            self.bias_effort,
            nv_work,
            wide_work,
            nc_work,
            na_work,
        )
        if self.rank < 0:
            raise ModelError("the joint space inertia A is not positive definite")
        # contiguous whatever the rank: the kernels are compiled for that, and not again in the loop
        nv, na = self._task_map.shape
        self.task_map = self._task_map.reshape(-1)[: nv * width].reshape(nv, width)
        self.effort_map = self._effort_map.reshape(-1)[: na * width].reshape(na, width)
