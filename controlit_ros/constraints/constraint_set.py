"""ConstraintSet: all constraints of a controller."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.constraints.constraint import DISABLE, UPDATES, Constraint
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint
from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.kernels import are_finite
from controlit_ros.kernels.row_layout import COLUMNS
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.own_methods import has_own
from controlit_ros.parameters import Parameter, Roster

_NOTHING: Array = np.zeros(0)


class Acting(NamedTuple):
    """A constraint that is enabled.

    Attributes:
        constraint: Which.
        settings: The revision of its parameters.
        is_own: Whether the object has methods of its own, whatever its class has.
    """

    constraint: Constraint
    settings: int
    is_own: bool


class ConstraintSet:
    """Stacks the rows of the enabled constraints (paper section 4.1).

    Args:
        constraints: Configured constraints, in the order of their rows.
        added_rows: Room for rows of constraints that come later.

    Attributes:
        constraints: Those there are now.
        contacts: All contacts of the beginning, enabled or not; one that has left is off.
        max_rows: Most rows there can be, with every constraint enabled.
        with_reactions: Whether somebody wants to know what the constraints do to the robot.
        adoptions: How often others were adopted.
    """

    def __init__(self, constraints: Sequence[Constraint], added_rows: int = 0) -> None:
        self.constraints: Roster[Constraint] = Roster(constraints)
        self.with_reactions = False
        self.adoptions = 0
        self._changes = -1
        self._revision = 0
        self._base = 0
        self.max_rows = self.rows + added_rows
        self.contacts = tuple(c for c in self.constraints if isinstance(c, ContactConstraint))
        self._numbers: dict[Constraint, int] = {c: i for i, c in enumerate(self.contacts)}
        self._wrenches: Array = np.full((len(self.contacts), 6), np.nan)
        for contact, row in zip(self.contacts, self._wrenches, strict=True):
            contact.wrench.rebind(row)

    @property
    def rows(self) -> int:
        """Rows with every constraint enabled that there is."""
        return sum(constraint.dimension for constraint in self.constraints)

    def adopt(self, constraints: Sequence[Constraint]) -> None:
        """Stack other constraints from the next `update` on; while nobody updates.

        What leaves is off from now on, for whoever knows it still.

        Args:
            constraints: Configured, with at most `max_rows` rows.
        """
        before = self._count()
        for constraint in self.constraints:
            if constraint not in constraints:
                constraint.operational_state.assign(DISABLE)
        self.constraints.replace(constraints)
        self.adoptions += 1
        self._base += before - self._count() + 1
        Parameter.changes += 1

    @property
    def couplings(self) -> tuple[Coupling, ...]:
        """Couplings of all transmissions, enabled or not."""
        return tuple(
            coupling
            for constraint in self.constraints
            if isinstance(constraint, TransmissionConstraint)
            for coupling in constraint.couplings
        )

    @property
    def revision(self) -> int:
        """A number that grows with every change of a constraint or of its state."""
        changes = Parameter.changes
        if self._changes != changes:
            self._changes = changes
            self._revision = self._base + self._count()
        return self._revision

    def _count(self) -> int:
        return sum(constraint.revision for constraint in self.constraints)

    @property
    def acting(self) -> tuple[Acting, ...]:
        """All that `table` and the rows depend on, of each constraint that is enabled."""
        return tuple(
            [
                Acting(c, c.settings_revision, has_own(c, UPDATES))
                for c in self.constraints
                if c.is_enabled
            ]
        )

    @property
    def enabled_rows(self) -> int:
        """Rows of the constraints that are enabled."""
        return sum(c.dimension for c in self.constraints if c.is_enabled)

    def table(self, model: RobotModel) -> Indices | None:
        """Return the table of `kernels.constraint_rows` for a model; `None`: some need Python.

        It holds while the same are `acting`.
        """
        enabled = [c for c in self.constraints if c.is_enabled]
        sources = [None if has_own(c, UPDATES) else c.source() for c in enabled]
        known = [source.words(model) for source in sources if source is not None]
        if len(known) < len(sources):
            return None
        return np.array(known, dtype=np.int64).reshape(len(known), COLUMNS)

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> int:
        """Write the enabled rows of Jc and `J̇c v`; return how many there are.

        Args:
            model: The model to read.
            jacobian: `(max_rows, nv)`; rows past the returned count are untouched.
            bias: `(max_rows,)`.

        Raises:
            NotFiniteError: A constraint wrote what is no number.
        """
        row = 0
        for constraint in self.constraints:
            if constraint.is_enabled:
                end = row + constraint.dimension
                constraint.update(model, jacobian[row:end], bias[row:end])
                row = end
        if not are_finite(jacobian, row, bias, _NOTHING):
            raise self._not_finite(jacobian, bias)
        return row

    def _not_finite(self, jacobian: Array, bias: Array) -> NotFiniteError:
        row = 0
        for constraint in self.constraints:
            if constraint.is_enabled:
                own = slice(row, row + constraint.dimension)
                row = own.stop
                for what, values in (("Jacobian", jacobian[own]), ("bias", bias[own])):
                    if not is_finite(values):
                        return NotFiniteError(f"constraint {constraint.name!r}", what, values)
        return NotFiniteError("the constraints together", "Jacobian", jacobian[:row])

    def show_wrenches(self, wrench: Array, is_sensed: Flags) -> None:
        """Let the outputs of the contacts tell their wrenches; servo thread.

        Args:
            wrench: `(contacts, 6)` see `RobotState.contact_wrench`.
            is_sensed: `(contacts,)`.
        """
        np.copyto(self._wrenches, wrench)
        for contact, sensed in zip(self.contacts, is_sensed.tolist(), strict=True):
            contact.wrench_is_sensed.value = sensed

    def places(self, model: RobotModel, place: Indices, basis: Array) -> None:
        """Write where the contacts' rows are that make a wrench, and which one.

        Args:
            model: The model to read.
            place: `(contacts, 2)` first row and number of rows; none for contacts that are off or
                have rows of another kind.
            basis: `(contacts, 6, 6)` see `ContactConstraint.reaction_basis`; columns past the
                rows are untouched.
        """
        place.fill(0)
        row = 0
        for constraint in self.constraints:
            if constraint.is_enabled:
                number = self._numbers.get(constraint)
                if number is not None and self.contacts[number].gives_wrench:
                    place[number] = row, constraint.dimension
                    columns = basis[number, :, : constraint.dimension]
                    np.copyto(columns, self.contacts[number].reaction_basis(model))
                row += constraint.dimension


def slaves_of(couplings: Sequence[Coupling]) -> tuple[str, ...]:
    """Return the joints that have no actuator of their own, by name, without repetition."""
    return tuple(sorted({coupling.slave for coupling in couplings}))
