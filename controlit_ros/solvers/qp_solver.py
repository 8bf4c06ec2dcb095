"""QPSolver: one quadratic program after the other, in memory that was taken before the first."""

import importlib
import math
from abc import ABC, abstractmethod
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError

CHANGES_PER_ROW = 5
"""Iterations a solver may take for each variable and row before it gives up."""


class QPError(ControlItError):
    """A quadratic program has no solution, or none was found; the text says which bound is why."""


class QPStatus(Enum):
    """What became of a problem."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    NOT_FINITE = "not finite"
    FAILED = "failed"


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
        scaled: The same problem with a diagonal of H that is 1, and what comes of it.
    """

    title = ""
    """What its makers call it."""
    requirement = ""
    """What to install for it, as pip has it."""

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
        self._ordered = np.zeros(n + m, dtype=bool)
        self._finite = (self.hessian.reshape(-1), self.gradient, self.rows.reshape(-1))
        self._begin()

    def solve(self) -> QPStatus:
        """Solve the problem the arrays hold; if that went well, write what came of it."""
        self.iterations = 0
        for values in self._finite:  # one that is not would stay in the solver's factors
            if not math.isfinite(values.dot(values)):
                return QPStatus.NOT_FINITE
        np.less_equal(self.bounds_lower, self.bounds_upper, out=self._ordered)
        if not self._ordered.all():
            is_number = not np.isnan(self.bounds_lower + self.bounds_upper).any()
            return QPStatus.INFEASIBLE if is_number else QPStatus.NOT_FINITE
        if not self._scale():
            return QPStatus.FAILED
        status = self._solve()
        if status is QPStatus.SOLVED:
            self._scale_back()
        return status

    def _scale(self) -> bool:
        """Write the problem of `y = x / d` with `d = 1/√diag H`; return whether there is one.

        Joints of very different inertia make an H that solvers take for singular; the diagonal of
        this one is 1.
        """
        n, d, scaled = len(self.gradient), self._size, self.scaled
        diagonal = self.hessian.reshape(-1)[:: n + 1]
        if not diagonal.min() > 0.0:
            return False
        np.sqrt(diagonal, out=d)
        np.reciprocal(d, out=d)
        np.multiply(self.hessian, d, out=scaled.hessian)
        np.multiply(scaled.hessian, d[:, None], out=scaled.hessian)
        np.multiply(self.gradient, d, out=scaled.gradient)
        np.multiply(self.rows, d, out=scaled.rows)
        np.divide(self.lower, d, out=scaled.bounds_lower[:n])
        np.divide(self.upper, d, out=scaled.bounds_upper[:n])
        scaled.bounds_lower[n:] = self.row_lower
        scaled.bounds_upper[n:] = self.row_upper
        return True

    def _scale_back(self) -> None:
        n, scaled = len(self.gradient), self.scaled
        np.multiply(scaled.solution, self._size, out=self.solution)
        np.divide(scaled.multipliers[:n], self._size, out=self.multipliers[:n])
        self.multipliers[n:] = scaled.multipliers[n:]

    @abstractmethod
    def _begin(self) -> None:
        """Make a solver that has seen no problem.

        Raises:
            QPError: The library is not installed; see `_library`.
        """

    @abstractmethod
    def _solve(self) -> QPStatus:
        """Solve `scaled`, which is finite and whose bounds are in order; allocates little."""

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
