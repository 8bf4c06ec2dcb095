"""QPSolver: one quadratic program after the other, in memory that was taken before the first."""

import importlib
import math
from abc import ABC, abstractmethod
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.kernels import (
    COSTLESS,
    CROSSED,
    ENDLESS,
    GIVEN,
    READY,
    bind,
    free_optimum,
    scale_back,
    scale_program,
)

CHANGES_PER_ROW = 5
"""Iterations a solver may take for each variable and row before it gives up."""

KEPT, WRONG = 2e-8, 2e-7
"""By which a solution may miss a bound (`missed_bound`) before it is sought anew; before it is
none."""


class QPError(ControlItError):
    """A quadratic program has no solution, or none was found; the text says which bound is why."""


class QPStatus(Enum):
    """What became of a problem."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    NOT_FINITE = "not finite"
    FAILED = "failed"


UNSOLVABLE = {
    ENDLESS: QPStatus.NOT_FINITE,
    CROSSED: QPStatus.INFEASIBLE,
    COSTLESS: QPStatus.FAILED,
}


class QPData(NamedTuple):
    """The arrays of a problem and of what came of it, as `QPSolver` has them."""

    hessian: Array
    gradient: Array
    rows: Array
    bounds_lower: Array
    bounds_upper: Array
    solution: Array
    multipliers: Array

    @classmethod
    def zeros(cls, n: int, m: int) -> "QPData":
        """Take the memory of n variables and m rows."""
        return cls(
            hessian=np.eye(n),
            gradient=np.zeros(n),
            rows=np.zeros((m, n)),
            bounds_lower=np.full(n + m, -np.inf),
            bounds_upper=np.full(n + m, np.inf),
            solution=np.zeros(n),
            multipliers=np.zeros(n + m),
        )


class QPSolver(ABC):
    """Solves `min ½ xᵀ H x + gᵀ x` with `lower ≤ x ≤ upper` and `row_lower ≤ R x ≤ row_upper`.

    A plugin: the class is named in the entry point group `controlit.qp_solvers`, and made without
    arguments; it may import what it needs in `_begin`, so that what is not installed is missed only
    by those who ask for it. Whoever uses it writes the arrays and calls `solve`; whoever writes one
    reads and writes those of `scaled`.

    Attributes:
        hessian: `(n, n)` H; symmetric and positive definite.
        gradient: `(n,)` g.
        rows: `(m, n)` R; a row of zeros bounds nothing.
        bounds_lower, bounds_upper: `(n + m,)` of the variables and then of the rows, infinite for
            none.
        lower, upper: `(n,)`, the part of the variables.
        row_lower, row_upper: `(m,)`, the part of the rows.
        solution: `(n,)` x of the last problem that was solved; meaningless after others.
        multipliers: `(n + m,)` λ of the last problem that was solved, of the variables and then of
            the rows: `H x + g + λ_x + Rᵀ λ_R = 0`, above zero where the upper bound holds x back,
            below where the lower does, zero elsewhere.
        iterations: What the last problem took.
        most_iterations: After which it gives up, where the library can be told.
        scaled: The same problem with a diagonal of H that is 1, and what comes of it; see
            `kernels.scale_program`.
    """

    title = ""
    """What its makers call it."""
    requirement = ""
    """What to install for it, as pip has it."""
    infinity = math.inf
    """What stands for no bound in `scaled`."""

    def prepare(self, variables: int, rows: int) -> None:
        """Take the memory.

        Args:
            variables: n, at least 1.
            rows: m, may be 0.

        Raises:
            QPError: The library is not installed.
        """
        n, m = variables, rows
        given, self.scaled = QPData.zeros(n, m), QPData.zeros(n, m)
        self.hessian, self.gradient, self.rows = given.hessian, given.gradient, given.rows
        self.bounds_lower, self.bounds_upper = given.bounds_lower, given.bounds_upper
        self.lower, self.row_lower = self.bounds_lower[:n], self.bounds_lower[n:]
        self.upper, self.row_upper = self.bounds_upper[:n], self.bounds_upper[n:]
        self.solution, self.multipliers = given.solution, given.multipliers
        self.iterations = 0
        self.most_iterations = CHANGES_PER_ROW * (n + m)
        self._size: Array = np.ones(n)
        problem = given.hessian, given.gradient, given.rows
        bounds = given.bounds_lower, given.bounds_upper
        found = given.solution, given.multipliers
        own = self.scaled
        self._find_free = bind(free_optimum, *problem, *bounds, own.hessian, given.solution)
        self._write_scaled = bind(scale_program, *problem, *bounds, GIVEN, self._size, *own[:5])
        self._read_scaled = bind(
            scale_back, own.solution, own.multipliers, self._size, given.rows, *bounds, *found
        )
        self.solve_free()  # so that nothing is compiled once the servo runs
        self._scale()
        self._missed()
        self._begin()

    def solve(self, *, is_feasible: bool = False) -> QPStatus:
        """Solve the problem the arrays hold; if that went well, write what came of it.

        Args:
            is_feasible: Whether something is known that keeps the bounds: a solver that says there
                is none is asked anew, without what it began with.
        """
        self.iterations = 0
        found = self._scale()
        if found != READY:  # what is no number would stay in the solver's factors
            return UNSOLVABLE[found]
        status = self._solve()
        is_solved = status is QPStatus.SOLVED
        if self._missed() <= KEPT if is_solved else not is_feasible:
            return status
        status = self._solve_anew()
        if status is QPStatus.SOLVED and not self._missed() <= WRONG:
            return QPStatus.FAILED
        return status

    def solve_free(self) -> bool:
        """Solve the problem if no bound holds it back, and tell whether; asks no solver.

        To try it costs a factor of H: worth it where no bound did so in the problem before.
        """
        self.iterations = 0
        is_free: bool = self._find_free()
        if is_free:
            self.multipliers.fill(0.0)
        return is_free

    def _scale(self) -> int:
        found: int = self._write_scaled(self.infinity)
        return found

    def _missed(self) -> float:
        """Write what came of it; return by how much it misses a bound, whatever the solver says."""
        missed: float = self._read_scaled()
        return missed

    @abstractmethod
    def _begin(self) -> None:
        """Make a solver that has seen no problem.

        Raises:
            QPError: The library is not installed; see `_library`.
        """

    @abstractmethod
    def _solve(self) -> QPStatus:
        """Solve `scaled`, which is finite and whose bounds are in order; allocates little."""

    def _solve_anew(self) -> QPStatus:
        """Solve `scaled` in another way: what `_solve` found misses a bound, or is known to be."""
        return self._solve()

    def _library(self, module: str) -> Any:
        """Import what solves.

        Raises:
            QPError: It is not installed.
        """
        try:
            return importlib.import_module(module)
        except ImportError as error:
            raise QPError(
                f"{self.title} needs {module}, which cannot be imported ({error}); "
                f"expected {self.requirement}: pip install '{self.requirement}'"
            ) from error
