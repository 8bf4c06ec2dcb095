"""LeastMissing: by how little rows can be missed that no effort keeps together."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers import QPSolver, QPStatus

# of the square of what rows are missed by beside that of an effort, one step after the other; the
# last twice, for what little of a narrow room the first time leaves
MISSING_COSTS = (1.0, 1e2, 1e4, 1e6, 1e6)


class LeastMissing:
    """Finds small variables with which some rows are missed by as little as can be.

    Proximal steps: each counts the variables from those of the step before. A high cost at once
    makes a problem that solvers give up on; one that fails leaves what the step before found.

    Args:
        solver: Not yet prepared.
        variables: n.
        rows: m.
        missed: Which of the rows may be missed, upwards.
        one_by_one: Whether each is missed by an amount of its own, of least sum of squares, instead
            of all by the same.

    Attributes:
        lower: `(n,)` least variables; minus infinity unless written.
        upper: `(n,)` largest variables, infinity likewise.
        iterations: What the last problem took.
    """

    def __init__(
        self,
        solver: QPSolver,
        variables: int,
        rows: int,
        missed: slice,
        *,
        one_by_one: bool = False,
    ) -> None:
        amounts = missed.stop - missed.start if one_by_one else 1
        solver.prepare(variables + amounts, rows)
        solver.lower[variables:] = 0.0
        solver.rows[missed, variables:] = -np.eye(amounts) if one_by_one else -1.0
        self._solver = solver
        self._n = variables
        self._costs = solver.hessian.reshape(-1)[:: variables + amounts + 1][variables:]
        self.lower, self.upper = solver.lower[:variables], solver.upper[:variables]
        self.iterations = 0

    @classmethod
    def beside(
        cls, solver: QPSolver, variables: int, rows: int, missed: slice, *, one_by_one: bool = False
    ) -> "LeastMissing | None":
        """Return one with a solver of the same type; none where no row may be missed."""
        if missed.stop <= missed.start:
            return None
        return cls(type(solver)(), variables, rows, missed, one_by_one=one_by_one)

    @property
    def amounts(self) -> Array:
        """By how much the rows are missed, `(1,)`, or an entry for each of them."""
        return self._solver.solution[self._n :]

    @property
    def missing(self) -> float:
        """The largest of the amounts."""
        return float(self.amounts.max())

    @property
    def solution(self) -> Array:
        """What was found, `(n,)`."""
        return self._solver.solution[: self._n]

    @property
    def multipliers(self) -> Array:
        """Those of the rows, `(m,)`."""
        return self._solver.multipliers[len(self._solver.solution) :]

    def solve(
        self, rows: Array, row_lower: Array, row_upper: Array, start: Array | None = None
    ) -> QPStatus:
        """Find the variables.

        Args:
            rows: `(m, n)`.
            row_lower: `(m,)`.
            row_upper: `(m,)`.
            start: `(n,)` from where the first step counts the variables; zero if not given.
        """
        solver = self._solver
        solver.rows[:, : self._n] = rows
        np.copyto(solver.row_lower, row_lower)
        np.copyto(solver.row_upper, row_upper)
        centre, found, self.iterations = solver.gradient[: self._n], QPStatus.FAILED, 0
        np.negative(0.0 if start is None else start, out=centre)
        for cost in MISSING_COSTS:
            self._costs[:] = cost
            status = solver.solve()  # writes nothing where it fails
            self.iterations += solver.iterations
            if status is not QPStatus.SOLVED:
                return found if found is QPStatus.SOLVED else status
            found = status
            np.negative(self.solution, out=centre)
        return found
