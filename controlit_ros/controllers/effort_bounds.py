"""EffortBounds: what an effort has to keep, whatever the tasks want."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers import QPSolver


class EffortBounds(NamedTuple):
    """Bounds `lower ≤ τ ≤ upper` and `row_lower ≤ R τ ≤ row_upper`, infinite where there are none.

    Attributes:
        lower: `(na,)` least efforts [N m] or [N].
        upper: `(na,)` largest efforts.
        rows: `(m, na)` R.
        row_lower: `(m,)`.
        row_upper: `(m,)`.
        may_miss: Which rows may be missed, all by the same, where no effort keeps everything.
    """

    lower: Array
    upper: Array
    rows: Array
    row_lower: Array
    row_upper: Array
    may_miss: slice

    @classmethod
    def zeros(cls, efforts: int, rows: int, may_miss: slice) -> "EffortBounds":
        """Take the memory; nothing is bounded yet."""
        none = np.full(efforts + rows, np.inf)
        lower, upper = -none, none
        return cls(
            lower[:efforts],
            upper[:efforts],
            np.zeros((rows, efforts)),
            lower[efforts:],
            upper[efforts:],
            may_miss,
        )

    @classmethod
    def of(cls, solver: QPSolver, may_miss: slice) -> "EffortBounds":
        """Return those of a solver whose variables are the efforts."""
        return cls(
            solver.lower, solver.upper, solver.rows, solver.row_lower, solver.row_upper, may_miss
        )
