"""QPSolver: one quadratic program after the other, in memory that was taken before the first."""

import importlib
import math
from abc import ABC, abstractmethod
from enum import Enum
from typing import Any

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


class QPSolver(ABC):
    """Solves `min ½ xᵀ H x + gᵀ x` with `lower ≤ x ≤ upper` and `row_lower ≤ R x ≤ row_upper`.

    A plugin: the class is named in the entry point group `controlit.qp_solvers`, and made without
    arguments; it may import what it needs in `_begin`, so that what is not installed is missed only
    by those who ask for it. Whoever uses it writes the arrays and calls `solve`.

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
        self.hessian: Array = np.eye(n)
        self.gradient: Array = np.zeros(n)
        self.rows: Array = np.zeros((m, n))
        self.bounds_lower: Array = np.full(n + m, -np.inf)
        self.bounds_upper: Array = np.full(n + m, np.inf)
        self.lower, self.row_lower = self.bounds_lower[:n], self.bounds_lower[n:]
        self.upper, self.row_upper = self.bounds_upper[:n], self.bounds_upper[n:]
        self.solution: Array = np.zeros(n)
        self.multipliers: Array = np.zeros(n + m)
        self.iterations = 0
        self.most_iterations = CHANGES_PER_ROW * (n + m)
        self._finite = (self.hessian.reshape(-1), self.gradient, self.rows.reshape(-1))
        self._begin()

    def solve(self) -> QPStatus:
        """Solve the problem the arrays hold; if that went well, write what came of it."""
        self.iterations = 0
        for values in self._finite:  # one that is not would stay in the solver's factors
            if not math.isfinite(values.dot(values)):
                return QPStatus.NOT_FINITE
        return self._solve()

    @abstractmethod
    def _begin(self) -> None:
        """Make a solver that has seen no problem.

        Raises:
            QPError: The library is not installed; see `_library`.
        """

    @abstractmethod
    def _solve(self) -> QPStatus:
        """Solve a problem whose H, g and R are finite; blocks for nothing, and allocates little."""

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
