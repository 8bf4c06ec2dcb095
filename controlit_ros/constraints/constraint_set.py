"""ConstraintSet: all constraints of a controller."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.constraints.constraint import Array, Constraint
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint
from controlit_ros.model.robot_model import RobotModel


class ConstraintSet:
    """Stacks the rows of the enabled constraints (paper section 4.1).

    Args:
        constraints: Configured constraints, in the order of their rows.

    Attributes:
        max_rows: Rows with every constraint enabled.
    """

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        self.constraints = tuple(constraints)
        self.max_rows = sum(constraint.dimension for constraint in self.constraints)

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
    def contacts(self) -> tuple[ContactConstraint, ...]:
        """All contacts, enabled or not."""
        return tuple(c for c in self.constraints if isinstance(c, ContactConstraint))

    def update(self, model: RobotModel, jacobian: Array, bias: Array) -> int:
        """Write the enabled rows of Jc and `J̇c v`; return how many there are.

        Args:
            model: The model to read.
            jacobian: `(max_rows, nv)`; rows past the returned count are untouched.
            bias: `(max_rows,)`.
        """
        row = 0
        for constraint in self.constraints:
            if constraint.is_enabled:
                end = row + constraint.dimension
                constraint.update(model, jacobian[row:end], bias[row:end])
                row = end
        return row


def slaves_of(couplings: Sequence[Coupling]) -> tuple[str, ...]:
    """Return the joints that have no actuator of their own, without repetition."""
    return tuple(np.unique([c.slave for c in couplings]).tolist()) if couplings else ()
