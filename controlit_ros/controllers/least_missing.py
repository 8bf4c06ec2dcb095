"""LeastMissing: by how little rows can be missed that no effort keeps together."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers import QPSolver, QPStatus

# of the square of what rows are missed by beside that of an effort, one step after the other
MISSING_COSTS = (1.0, 1e2, 1e4, 1e6)


class LeastMissing:
    """Finds small variables with which some rows are missed by as little as can be.

    Proximal steps: each counts the variables from those of the step before. A high cost at once
    makes a problem that solvers give up on; one that fails leaves what the step before found.

    Args:
        solver: Not yet prepared.
        variables: n.
        rows: m.
        missed: Which of the rows may be missed, all by the same, upwards.

    Attributes:
        lower: `(n,)` least variables; minus infinity unless written.
        upper: `(n,)` largest variables, infinity likewise.
        iterations: What the last problem took.
    """

    def __init__(self, solver: QPSolver, variables: int, rows: int, missed: slice) -> None:
        solver.prepare(variables + 1, rows)
        solver.lower[-1] = 0.0
        solver.rows[missed, -1] = -1.0
        self._solver = solver
        self.lower, self.upper = solver.lower[:-1], solver.upper[:-1]
        self.iterations = 0

    @classmethod
    def beside(
        cls, solver: QPSolver, variables: int, rows: int, missed: slice
    ) -> "LeastMissing | None":
        """Return one with a solver of the same type; none where no row may be missed."""
        if missed.stop <= missed.start:
            return None
        return cls(type(solver)(), variables, rows, missed)

    @property
    def missing(self) -> float:
        """By how much the rows are missed."""
        return float(self._solver.solution[-1])

    @property
    def solution(self) -> Array:
        """What was found, `(n,)`."""
        return self._solver.solution[:-1]

    @property
    def multipliers(self) -> Array:
        """Those of the rows, `(m,)`."""
        return self._solver.multipliers[len(self._solver.solution) :]

    def solve(self, rows: Array, row_lower: Array, row_upper: Array) -> QPStatus:
        """Find the variables; `(m, n)`, `(m,)` and `(m,)`."""
        solver = self._solver
        solver.rows[:, :-1] = rows
        np.copyto(solver.row_lower, row_lower)
        np.copyto(solver.row_upper, row_upper)
        centre, found, self.iterations = solver.gradient[:-1], QPStatus.FAILED, 0
        centre.fill(0.0)
        for cost in MISSING_COSTS:
            solver.hessian[-1, -1] = cost
            status = solver.solve()  # writes nothing where it fails
            self.iterations += solver.iterations
            if status is not QPStatus.SOLVED:
                return found if found is QPStatus.SOLVED else status
            found = status
            np.negative(self.solution, out=centre)
        return found
