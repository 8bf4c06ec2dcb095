"""QPSolver: one quadratic program after the other, by qpOASES."""

import contextlib
import importlib
import io
import math
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError

casadi: Any = None
with contextlib.suppress(ImportError):  # an extra; told when somebody asks for a solver
    casadi = importlib.import_module("casadi")

SUCCESS = 0
INFEASIBLE = 4
"""What casadi calls SOLVER_RET_SUCCESS and SOLVER_RET_INFEASIBLE."""


class QPError(ControlItError):
    """A quadratic program has no solution, or none was found; the text says which bound is why."""


class QPStatus(Enum):
    """What became of a problem."""

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    NOT_FINITE = "not finite"
    FAILED = "failed"


class QPSolver:
    """Solves `min ½ xᵀ H x + gᵀ x` with `lower ≤ x ≤ upper` and `row_lower ≤ R x ≤ row_upper`.

    By qpOASES (Ferreau et al., qpOASES: a parametric active-set algorithm for quadratic
    programming, 2014) as casadi brings it. Each problem starts from the bounds that were active in
    the one before, in memory that was taken at the first. Where it gives up is counted in working
    set changes, not in time: 5 for each variable and row.

    Args:
        variables: n.
        rows: m, at least 1; a row of zeros bounds nothing. Without rows qpOASES would begin every
            problem anew whose H is another.

    Attributes:
        hessian: `(n, n)` H; symmetric and positive definite.
        gradient: `(n,)` g.
        lower, upper: `(n,)`, infinite for none.
        rows: `(m, n)` R.
        row_lower, row_upper: `(m,)`, infinite for none.
        solution: `(n,)` x of the last problem that was solved; meaningless after others.

    Raises:
        QPError: casadi is not installed.
    """

    def __init__(self, variables: int, rows: int) -> None:
        if casadi is None:
            raise QPError(
                "qpOASES comes with casadi, which is not installed; "
                "expected casadi >= 3.6: pip install 'controlit[qpoases]'"
            )
        self.hessian: Array = np.zeros((variables, variables), order="F")
        self.gradient: Array = np.zeros(variables)
        self.rows: Array = np.zeros((rows, variables), order="F")
        self.row_lower: Array = np.full(rows, -np.inf)
        self.row_upper: Array = np.full(rows, np.inf)
        self.lower: Array = np.full(variables, -np.inf)
        self.upper: Array = np.full(variables, np.inf)
        self.solution: Array = np.zeros(variables)
        self._finite: tuple[Array, ...] = (
            self.hessian.T.reshape(-1),
            self.gradient,
            self.rows.T.reshape(-1),
        )
        self._buffer: Any
        self._trigger: Callable[[], None]
        self._is_lost = False
        self._begin()

    def solve(self) -> QPStatus:
        """Solve the problem the arrays hold, and write `solution` if that went well."""
        for values in self._finite:  # one that is not would stay in the solver's factors
            if not math.isfinite(values.dot(values)):
                return QPStatus.NOT_FINITE
        if self._is_lost:
            self._begin()
        self._trigger()
        found = self._buffer.ret()
        if found == SUCCESS:
            return QPStatus.SOLVED
        # it finds its way back from a problem without solution, but from nothing else
        self._is_lost = found != INFEASIBLE
        return QPStatus.INFEASIBLE if found == INFEASIBLE else QPStatus.FAILED

    def _begin(self) -> None:
        """Make a solver that has seen no problem."""
        m, n = self.rows.shape
        shape = {"h": casadi.Sparsity.dense(n, n), "a": casadi.Sparsity.dense(m, n)}
        options = {"printLevel": "none", "error_on_fail": False}
        with contextlib.redirect_stdout(io.StringIO()):  # it prints its licence at each start
            solver = casadi.conic("whole_body_qp", "qpoases", shape, options)
            self._buffer, self._trigger = solver.buffer()
        inputs = {
            "h": self.hessian.T.reshape(-1),
            "g": self.gradient,
            "a": self.rows.T.reshape(-1),
            "lba": self.row_lower,
            "uba": self.row_upper,
            "lbx": self.lower,
            "ubx": self.upper,
        }
        for name, values in inputs.items():
            self._buffer.set_arg(solver.index_in(name), values.data)
        self._buffer.set_res(solver.index_out("x"), self.solution.data)
        self._is_lost = False
