"""DAQP: a dual active-set solver, the default."""

from typing import Any

from controlit_ros.solvers.qp_solver import QPSolver, QPStatus

OPTIMAL = 1
INFEASIBLE = -1
"""What DAQP calls DAQP_EXIT_OPTIMAL and DAQP_EXIT_INFEASIBLE."""

SETTINGS = {
    "primal_tol": 1e-9,  # by which a bound may be missed, in parts of its row's length
    "eps_prox": 0.0,  # H is positive definite by contract; what is nearly not is no reason to stop
}

SECOND_SETTINGS = SETTINGS | {"primal_tol": 1e-7, "eps_prox": 1e-6}
"""Of the second try. Where rows nearly depend on each other, a narrow tolerance lets it go on to
vertices whose factors are rounding; it calls what it finds there optimal."""


class DAQP(QPSolver):
    """By DAQP, a dual active-set solver.

    Arnström, Bemporad and Axehill, A dual active-set solver for embedded quadratic programming
    using recursive LDLᵀ updates, 2022. Each problem starts from the bounds that were active in the
    one before.
    """

    title = "DAQP"
    requirement = "daqp>=0.11"
    infinity = 1e30  # it computes with real infinities, and fails

    def _begin(self) -> None:
        self._model: Any = self._library("daqp").Model()
        self._model.settings = SETTINGS | {"iter_limit": self.most_iterations}
        self._second: Any = self._library("daqp").Model()
        self._second.settings = SECOND_SETTINGS | {"iter_limit": self.most_iterations}
        scaled = self.scaled
        lower, upper = scaled.bounds_lower, scaled.bounds_upper
        self._problem = (scaled.hessian, scaled.gradient, scaled.rows, upper, lower)
        self._is_set_up = False
        self._update()  # takes the memory

    def _solve(self) -> QPStatus:
        if not self._update():
            return QPStatus.FAILED
        return self._find(self._model)

    def _solve_anew(self) -> QPStatus:
        self._is_set_up = False
        found, _ = self._second.setup(*self._problem)
        return self._find(self._second) if found >= 0 else QPStatus.FAILED

    def _find(self, model: Any) -> QPStatus:
        x, _, exit_flag, info = model.solve()
        self.iterations += info["iterations"]
        if exit_flag == OPTIMAL:
            self.scaled.solution[:] = x
            self.scaled.multipliers[:] = info["lam"]
            return QPStatus.SOLVED
        self._is_set_up = False  # what it began with led nowhere
        return QPStatus.INFEASIBLE if exit_flag == INFEASIBLE else QPStatus.FAILED

    def _update(self) -> bool:
        """Hand the problem over; return whether it can be one: H may be no cost."""
        if self._is_set_up:
            hessian, gradient, rows, upper, lower = self._problem
            changed = rows if len(rows) else None
            self._is_set_up = self._model.update(hessian, gradient, changed, upper, lower) >= 0
        if not self._is_set_up:
            found, _ = self._model.setup(*self._problem)
            self._is_set_up = found >= 0
        return self._is_set_up
