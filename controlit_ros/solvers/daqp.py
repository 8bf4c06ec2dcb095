"""DAQP: a dual active-set solver, the default."""

from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers.qp_solver import QPSolver, QPStatus

OPTIMAL = 1
INFEASIBLE = -1
"""What DAQP calls DAQP_EXIT_OPTIMAL and DAQP_EXIT_INFEASIBLE."""

INFINITE = 1e30  # what DAQP takes for no bound; it computes with real infinities, and fails

SETTINGS = {
    "primal_tol": 1e-9,  # by which a bound may be missed, in parts of its row's length
    "eps_prox": 0.0,  # H is positive definite by contract; what is nearly not is no reason to stop
}


class DAQP(QPSolver):
    """By DAQP, a dual active-set solver.

    Arnström, Bemporad and Axehill, A dual active-set solver for embedded quadratic programming
    using recursive LDLᵀ updates, 2022. Each problem starts from the bounds that were active in the
    one before.
    """

    title = "DAQP"
    requirement = "daqp>=0.11"

    def _begin(self) -> None:
        self._model: Any = self._library("daqp").Model()
        self._model.settings = SETTINGS | {"iter_limit": self.most_iterations}
        self._bounds: Array = np.zeros((2, len(self.scaled.bounds_lower)))
        self._is_set_up = False

    def _solve(self) -> QPStatus:
        if not self._update():
            return QPStatus.FAILED
        x, _, exit_flag, info = self._model.solve()
        self.iterations = info["iterations"]
        if exit_flag == OPTIMAL:
            self.scaled.solution[:] = x
            self.scaled.multipliers[:] = info["lam"]
            return QPStatus.SOLVED
        self._is_set_up = False  # what it began with led nowhere
        return QPStatus.INFEASIBLE if exit_flag == INFEASIBLE else QPStatus.FAILED

    def _update(self) -> bool:
        """Hand the problem over; return whether it can be one: H may be no cost."""
        scaled, (lower, upper) = self.scaled, self._bounds
        np.clip(scaled.bounds_lower, -INFINITE, INFINITE, out=lower)
        np.clip(scaled.bounds_upper, -INFINITE, INFINITE, out=upper)
        if self._is_set_up:
            rows = scaled.rows if len(scaled.rows) else None
            found = self._model.update(scaled.hessian, scaled.gradient, rows, upper, lower)
            self._is_set_up = found >= 0
        if not self._is_set_up:
            found, _ = self._model.setup(scaled.hessian, scaled.gradient, scaled.rows, upper, lower)
            self._is_set_up = found >= 0
        return self._is_set_up
