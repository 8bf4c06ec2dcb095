"""QpOASES: a primal active-set solver that follows a path from problem to problem."""

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers.qp_solver import QPSolver, QPStatus

SUCCESS = 0
INFEASIBLE = 4
"""What casadi calls SOLVER_RET_SUCCESS and SOLVER_RET_INFEASIBLE."""


class QpOASES(QPSolver):
    """By qpOASES, a primal active-set solver, as casadi brings it.

    Ferreau et al., qpOASES: a parametric active-set algorithm for quadratic programming, 2014. Each
    problem starts from the bounds that were active in the one before. Where it gives up is counted
    in working set changes, 5 for each variable and row; how many it took it does not tell.
    """

    title = "qpOASES"
    requirement = "casadi>=3.6"

    def _begin(self) -> None:
        """Make a solver; without rows qpOASES would begin anew at each other H, so one is blank."""
        casadi = self._library("casadi")
        (m, n), blank = self.scaled.rows.shape, 0 if len(self.scaled.rows) else 1
        self._columns: Array = np.zeros((m + blank, n), order="F")
        self._blank: Array = np.zeros(1)
        self._row_multipliers: Array = np.zeros(m + blank)
        shape = {"h": casadi.Sparsity.dense(n, n), "a": casadi.Sparsity.dense(m + blank, n)}
        options = {"printLevel": "none", "error_on_fail": False}
        with contextlib.redirect_stdout(io.StringIO()):  # it prints its licence at each start
            solver = casadi.conic("qp", "qpoases", shape, options)
            buffer, trigger = solver.buffer()
        self._buffer: Any = buffer
        self._trigger: Callable[[], None] = trigger
        inputs = {
            "h": self.scaled.hessian.reshape(-1),
            "g": self.scaled.gradient,
            "a": self._columns.T.reshape(-1),
            "lba": self._blank if blank else self.scaled.bounds_lower[n:],
            "uba": self._blank if blank else self.scaled.bounds_upper[n:],
            "lbx": self.scaled.bounds_lower[:n],
            "ubx": self.scaled.bounds_upper[:n],
        }
        results = {
            "x": self.scaled.solution,
            "lam_x": self.scaled.multipliers[:n],
            "lam_a": self._row_multipliers if blank else self.scaled.multipliers[n:],
        }
        for name, values in inputs.items():
            buffer.set_arg(solver.index_in(name), values.data)
        for name, values in results.items():
            buffer.set_res(solver.index_out(name), values.data)
        self._is_lost = False

    def _solve(self) -> QPStatus:
        if self._is_lost:
            # the end of a solver lets all of the process print errors, a new one silences them
            del self._buffer, self._trigger
            self._begin()
        self._columns[: len(self.scaled.rows)] = self.scaled.rows
        self._trigger()
        found = self._buffer.ret()
        if found == SUCCESS:
            return QPStatus.SOLVED
        # it finds its way back from a problem without solution, but from nothing else
        self._is_lost = found != INFEASIBLE
        return QPStatus.INFEASIBLE if found == INFEASIBLE else QPStatus.FAILED
