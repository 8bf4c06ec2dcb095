"""ConstrainedModel: the robot's dynamics seen through its constraints."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints.constraint_set import Acting, ConstraintSet
from controlit_ros.constraints.projections import Projections, compute_projections
from controlit_ros.few import Few
from controlit_ros.finite import NotFiniteError
from controlit_ros.kernels import (
    INDEFINITE,
    NOT_FINITE,
    BoundKernel,
    bind,
    chain,
    constrain,
    contact_rows,
    contact_wrenches,
    reaction_map,
)
from controlit_ros.kernels.constrain import ROWS_NOT_FINITE
from controlit_ros.kernels.row_layout import COLUMNS
from controlit_ros.model.model_error import ModelError
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.robot_state import RobotState

SMALL = 40  # [-] degrees of freedom: to update a model of more takes longer than to wake a thread
MOST = 32  # [sets of constraints] feet come and go one by one: four of them make sixteen


class _Arrangement(NamedTuple):
    """What depends on which constraints are enabled, and on their parameters.

    Attributes:
        Jc: Memory of their rows.
        Jc_bias: Likewise.
        in_python: Whether they write these themselves.
        constrain: See `kernels.constrain`.
        at_once: Both halves of an update; `None`: something is left to Python between them.
    """

    Jc: Array
    Jc_bias: Array
    in_python: bool
    constrain: BoundKernel
    at_once: BoundKernel | None


class ConstrainedModel:
    """A model together with what its constraints make of it; the servo owns two of them.

    The servo needs the projections only in factored form (see `kernels.project`); `projections`
    computes them as they are written, for tests and for people.

    Attributes:
        robot_model: Kinematics and dynamics.
        Jc: `(nc, nv)` rows of the enabled constraints.
        Jc_bias: `(nc,)` `J̇c v`.
        rank: Independent constrained degrees of freedom.
        width: The rank of Φ.
        task_map: `(nv, rank of Φ)` T, with `UNc̄ = T Eφᵀ`.
        effort_map: `(na, rank of Φ)` Eφ, with `Φ⁺ = Eφ Eφᵀ`.
        UNc_bar: `(nv, na)` UNc̄: how the robot moves with its command joints.
        Phi: `(na, na)` Φ.
        drift: `(nv,)` minus the acceleration under `bias_effort` alone: what the constraints demand
            at this velocity, and what no actuator can hold (see `projections.compute_drift`).
        mobility: `(nv,)` `√(A⁻¹)_ii` before the constraints; see `kernels.project`.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`, with the gravity mask applied [N m].
        unheld: `(nv, nv)` `Nc A⁻¹ − T Tᵀ`, which maps a load to the acceleration no actuator holds
            back; `(0, 0)` where it is zero, and while `constraints.with_reactions` is not set.
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
        self.width = na
        self.Phi: Array = np.zeros((na, na))
        self.drift: Array = np.zeros(nv)
        self.mobility: Array = np.zeros(nv)
        self.bias_effort: Array = np.zeros(na)
        self.UNc_bar: Array = np.zeros((nv, na))
        self.unheld: Array = np.zeros((0, 0))
        self._nothing_unheld = self.unheld
        self._reaction_map: Array = np.zeros((nc, nv))
        self._drive: Array = np.zeros(nv)
        self._no_load: Array = np.zeros(nv)
        self._reaction_offset: Array = np.zeros(nc)
        self._wrench_map: Array = np.zeros((6, na + 1))
        contacts = len(constraints.contacts)
        self._place = np.zeros((contacts, 2), dtype=np.int64)
        self._basis: Array = np.zeros((contacts, 6, 6))
        self._reaction_work: Array = np.zeros((2, nv))
        self._A_work: Array = np.zeros((nv, nv))
        self._work = (
            np.zeros((2, max(nv, nc), nv)),
            np.zeros((3, max(na, nc), nv)),
            np.zeros((5, nc, nc)),
            np.zeros((4, na, na)),
            np.zeros((8, BASE_DOFS, BASE_DOFS)),
            np.zeros((7, max(nv, nc, na))),
        )
        self._maps = {na: (self._task_map, self._effort_map)}  # by their width
        self._ranks = np.full(2, NOT_FINITE)  # as the kernel found them
        self._adoptions = -1
        self._arranged = -1, False  # revision, and whether with reactions
        self._is_small = nv <= SMALL
        self._arrangements: Few[tuple[tuple[Acting, ...], bool], _Arrangement] = Few(MOST)
        self._chains: Few[tuple[BoundKernel, BoundKernel], BoundKernel] = Few(MOST)
        self._in_python = True
        self._constrain: BoundKernel
        self._at_once: BoundKernel | None = None

    @property
    def projections(self) -> Projections:
        """The projections at the model's state, newly computed from their definitions."""
        model = self.robot_model
        return compute_projections(model.A, self.Jc, model.description.command_dofs)

    @property
    def A_inv(self) -> Array:  # noqa: N802 - the paper's symbol
        """See `Projections`."""
        return self.projections.A_inv

    @property
    def Jc_bar(self) -> Array:  # noqa: N802 - the paper's symbol
        """See `Projections`."""
        return self.projections.Jc_bar

    @property
    def Nc(self) -> Array:  # noqa: N802 - the paper's symbol
        """See `Projections`."""
        return self.projections.Nc

    @property
    def UNc(self) -> Array:  # noqa: N802 - the paper's symbol
        """See `Projections`."""
        return self.projections.UNc

    @property
    def is_one_call(self) -> bool:
        """Whether an `update` is one compiled call, and a short one; never right after a change.

        To arrange what follows from a change takes as long as several such calls. Reactions take
        calls of their own.
        """
        is_arranged = self._at_once is not None and self._arranged == self._arrangement_wanted
        return is_arranged and not self.constraints.with_reactions and self._is_small

    @property
    def _arrangement_wanted(self) -> tuple[int, bool]:
        return self.constraints.revision, self.constraints.with_reactions

    def update(self, state: RobotState, then: BoundKernel | None = None) -> bool:
        """Update model and projections to a measured state.

        Args:
            state: The state.
            then: What shall be done in the same call, once all is well; see `kernels.chain`.

        Returns:
            Whether that was done and returned true; if not it is left to the caller.

        Raises:
            ModelError: The joint space inertia is not positive definite.
            NotFiniteError: The model, or a constraint, which is named, or what follows from it is
                not finite.
        """
        self._follow_constraints()
        if self._at_once is not None:
            self.robot_model.take(state)
            run = self._at_once
            if then is not None:
                run = self._chains.get((self._constrain, then)) or self._followed_by(then)
            if run():
                self.robot_model.sense()
                if self.constraints.with_reactions:
                    self._update_reactions()
                return then is not None
        self.update_dynamics(state)
        self.update_projections()
        return False

    def update_dynamics(self, state: RobotState) -> None:
        """Update the model to a measured state; the first half of `update`."""
        self.robot_model.update(state)

    def update_projections(self) -> None:
        """Factor the projections at the model's state; the second half of `update`.

        Raises:
            ModelError: The joint space inertia is not positive definite.
            NotFiniteError: A constraint, which is named, or what follows from it is not finite.
        """
        self._follow_constraints()
        if self._in_python:
            self._update_rows()
        self._constrain()
        self.rank, width = self._ranks.tolist()
        if self.rank == ROWS_NOT_FINITE:
            self._update_rows()  # which tells
        if self.rank == INDEFINITE:
            raise ModelError("the joint space inertia A is not positive definite")
        if self.rank == NOT_FINITE:
            raise NotFiniteError("the dynamics under the constraints", "drift", self.drift)
        if width != self.width:
            self._resize_maps(width)
        if self.constraints.with_reactions:
            self._update_reactions()

    def _update_rows(self) -> None:
        """Let the constraints write their rows in Python."""
        self.constraints.update(self.robot_model, self._all_rows, self._all_bias)

    def _followed_by(self, then: BoundKernel) -> BoundKernel:
        """Keep and return both halves of an update, and what shall be done then."""
        key = self._constrain, then
        return self._chains.keep(key, chain(self.robot_model.kernel, *key))

    def _follow_constraints(self) -> None:
        """Arrange anew what depends on the constraints, if they changed."""
        wanted = self._arrangement_wanted
        self.revision = wanted[0]
        if wanted != self._arranged:
            self._arrange()
            self._arranged = wanted

    def _arrange(self) -> None:
        """Look which constraints are enabled."""
        if self._adoptions != self.constraints.adoptions:  # keep nothing of those that left
            self._adoptions = self.constraints.adoptions
            self._arrangements.clear()
            self._chains.clear()
        key = self.constraints.acting, self.constraints.with_reactions
        arrangement = self._arrangements.get(key)
        if arrangement is None:
            arrangement = self._arrangements.keep(key, self._arrangement())
        self.Jc, self.Jc_bias, self._in_python, self._constrain, self._at_once = arrangement

    def _arrangement(self) -> _Arrangement:
        """Return what is new with the constraints that are enabled."""
        count, model = self.constraints.enabled_rows, self.robot_model
        Jc, Jc_bias = self._all_rows[:count], self._all_bias[:count]
        table = self.constraints.table(model)
        kernel = bind(
            constrain,
            np.zeros((0, COLUMNS), dtype=np.int64) if table is None else table,
            model.J,
            model.dJ,
            model.v,
            model.A,
            Jc,
            Jc_bias,
            model.description.command_dofs,
            self._task_map,
            self._effort_map,
            self.Phi,
            self.drift,
            self.mobility,
            model.compensation,
            self.bias_effort,
            self.UNc_bar,
            self.constraints.with_reactions,
            self._A_work,
            *self._work,
            self._ranks,
        )
        is_known = table is not None and model.is_compiled
        at_once = chain(model.kernel, kernel) if is_known else None
        return _Arrangement(Jc, Jc_bias, table is None, kernel, at_once)

    def _resize_maps(self, width: int) -> None:
        """Give both maps as many columns as Φ has ranks.

        Contiguous whatever the rank: the kernels are compiled for that, and not again in the loop.
        Of one width they are always the same arrays, so that what is bound to them stays so.
        """
        if width not in self._maps:
            nv, na = self._task_map.shape
            self._maps[width] = (
                self._task_map.reshape(-1)[: nv * width].reshape(nv, width),
                self._effort_map.reshape(-1)[: na * width].reshape(na, width),
            )
        self.task_map, self.effort_map = self._maps[width]
        self.width = width

    def write_contact_wrenches(
        self, effort: Array, wrench: Array, load: Array | None = None
    ) -> None:
        """Compute what the world does to the robot at the contacts under an effort (eq. 3).

        Only while `constraints.with_reactions`.

        Args:
            effort: `(na,)` of the command joints [N m].
            wrench: `(contacts, 6)` result, see `RobotState.contact_wrench`.
            load: `(nv,)` what the robot exerts elsewhere, see `CompoundTask.load`; none: zero.
        """
        contact_wrenches(
            self._reaction_map,
            self._reaction_offset,
            self.robot_model.description.command_dofs,
            effort,
            self._no_load if load is None else load,
            self._place,
            self._basis,
            self._drive,
            wrench,
        )

    def write_contact_rows(
        self,
        number: int,
        cone: Array,
        limits: Array,
        rows: Array,
        upper: Array,
        load: Array | None = None,
    ) -> None:
        """Compute what a cone of wrenches at a contact is for the effort: `rows τ ≤ upper`.

        Only while `constraints.with_reactions`. A contact that is off bounds nothing.

        Args:
            number: Of the contact.
            cone: `(k, 6)` rows of a `ContactCone`.
            limits: `(k,)` its limits [N].
            rows: `(k, na)` result.
            upper: `(k,)` result.
            load: As in `write_contact_wrenches`.
        """
        contact_rows(
            self._reaction_map,
            self._reaction_offset,
            self.robot_model.description.command_dofs,
            self._no_load if load is None else load,
            self._place[number],
            self._basis[number],
            self.constraints.contacts[number].axes(self.robot_model),
            cone,
            limits,
            self._wrench_map,
            rows,
            upper,
        )

    def contact_rows_of(self, number: int) -> slice:
        """Return which rows of `Jc` are those of a contact; none: it is off, or makes no wrench.

        Only while `constraints.with_reactions`.
        """
        first, count = self._place[number].tolist()
        return slice(first, first + count)

    def own_wrench(self, number: int) -> Array:
        """Return the wrench in a contact's own axes that each of its rows makes, `(6, k)`."""
        basis = self._basis[number, :, : self._place[number, 1]]
        axes = self.constraints.contacts[number].axes(self.robot_model)
        return np.vstack((axes.T @ basis[:3], axes.T @ basis[3:]))

    def _update_reactions(self) -> None:
        """Prepare `write_contact_wrenches`, from what `project` left in its scratch."""
        model, (nv_work, _, nc_work, *_) = self.robot_model, self._work
        nv, n = len(model.v), len(self.Jc)
        E = nc_work[4].reshape(-1)[: n * self.rank].reshape(n, self.rank)
        reaction_map(
            nv_work[0, :nv],
            nv_work[1, :n],
            E,
            self.rank,
            self.Jc_bias,
            model.BG,
            self._reaction_work,
            self._reaction_map,
            self._reaction_offset,
        )
        self.constraints.places(model, self._place, self._basis)
        self.unheld = self._nothing_unheld
        if nv - self.rank > self.width:
            self._update_unheld(nv_work[0, :nv], nv_work[1, :n], E)

    def _update_unheld(self, K: Array, W: Array, E: Array) -> None:
        """Write `K (I − Wᵀ Λc W) Kᵀ − T Tᵀ`; only for underactuated robots."""
        held = E.T @ W
        free = K - (K @ held.T) @ held
        self.unheld = free @ K.T - self.task_map @ self.task_map.T
