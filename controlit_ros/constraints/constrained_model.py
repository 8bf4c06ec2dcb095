"""ConstrainedModel: the robot's dynamics seen through its constraints."""

import numpy as np
import numpy.typing as npt

from controlit_ros.constraints.constraint_set import ConstraintSet
from controlit_ros.constraints.projections import Projections, compute_projections
from controlit_ros.kernels import contact_wrenches, project, reaction_map
from controlit_ros.model.robot_description import BASE_DOFS, ModelError, RobotDescription
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
        Phi: `(na, na)` Φ.
        drift: `(nv,)` minus the acceleration under `bias_effort` alone: what the constraints demand
            at this velocity, and what no actuator can hold (see `projections.compute_drift`).
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`, with the gravity mask applied [N m].
        revision: That of the constraints it was last updated with.
    """

    def __init__(self, description: RobotDescription, constraints: ConstraintSet) -> None:
        self.robot_model = RobotModel(description)
        self.constraints = constraints
        nv, na, nc = description.nv, len(description.command_joints), constraints.max_rows
        self._all_rows: Array = np.zeros((nc, nv))
        self._all_bias: Array = np.zeros(nc)
        self.Jc, self.Jc_bias = self._all_rows, self._all_bias
        self.rank = 0
        self.revision = 0
        self._task_map: Array = np.zeros((nv, na))
        self._effort_map: Array = np.zeros((na, na))
        self.task_map, self.effort_map = self._task_map, self._effort_map
        self.Phi: Array = np.zeros((na, na))
        self.drift: Array = np.zeros(nv)
        self.bias_effort: Array = np.zeros(na)
        self._reaction_map: Array = np.zeros((nc, na))
        self._reaction_offset: Array = np.zeros(nc)
        self._place = np.zeros((len(description.contacts), 2), dtype=np.int64)
        self._reaction_work: Array = np.zeros((2, nv))
        self._A_work: Array = np.zeros((nv, nv))
        self._work = (
            np.zeros((3, max(nv, nc), nv)),
            np.zeros((3, max(nv, nc), max(na, nc))),
            np.zeros((6, nc, nc)),
            np.zeros((4, na, na)),
            np.zeros((6, max(nc, BASE_DOFS), BASE_DOFS)),
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
        self.revision = self.constraints.revision
        count = self.constraints.update(model, self._all_rows, self._all_bias)
        self.Jc, self.Jc_bias = self._all_rows[:count], self._all_bias[:count]
        nv_work, wide_work, nc_work, na_work, base_work = self._work
        np.copyto(self._A_work, model.A)
        self.rank, width = project(
            self._A_work,
            self.Jc,
            self.Jc_bias,
            model.description.command_dofs,
            self._task_map,
            self._effort_map,
            self.Phi,
            self.drift,
            model.compensation,
            self.bias_effort,
            self.constraints.with_reactions,
            nv_work,
            wide_work,
            nc_work,
            na_work,
            base_work,
        )
        if self.rank < 0:
            raise ModelError("the joint space inertia A is not positive definite")
        # contiguous whatever the rank: the kernels are compiled for that, and not again in the loop
        nv, na = self._task_map.shape
        self.task_map = self._task_map.reshape(-1)[: nv * width].reshape(nv, width)
        self.effort_map = self._effort_map.reshape(-1)[: na * width].reshape(na, width)
        if self.constraints.with_reactions:
            self._update_reactions()

    def write_contact_wrenches(self, effort: Array, wrench: Array) -> None:
        """Compute what the world does to the robot at the contacts under an effort (eq. 3).

        Only while `constraints.with_reactions`.

        Args:
            effort: `(na,)` of the command joints [N m].
            wrench: `(contacts, 6)` result, see `RobotState.contact_wrench`.
        """
        contact_wrenches(self._reaction_map, self._reaction_offset, effort, self._place, wrench)

    def _update_reactions(self) -> None:
        """Prepare `write_contact_wrenches`, from what `project` left in its scratch."""
        model, (nv_work, _, nc_work, _, _) = self.robot_model, self._work
        nv, n = len(model.v), len(self.Jc)
        reaction_map(
            nv_work[0, :nv],
            nv_work[1, :n],
            nc_work[4].reshape(-1)[: n * n].reshape(n, n),
            self.rank,
            self.Jc_bias,
            model.BG,
            model.description.command_dofs,
            self._reaction_work,
            self._reaction_map,
            self._reaction_offset,
        )
        self.constraints.places(self._place)
