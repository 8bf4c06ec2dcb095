"""ProxQP: an augmented Lagrangian, where it is installed; DAQP has the last word."""

import os
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.solvers.qp_solver import QPSolver, QPStatus

ACCURACY = 1e-10
"""Of the conditions of an optimum, absolutely."""
CLOSE = 1e-9
"""The same, of what is taken for one: it ends within rounding of where it wants to be."""


class ProxQP(QPSolver):
    """By ProxQP, a primal-dual augmented Lagrangian.

    Bambade, El-Kazdadi, Taylor and Carpentier, PROX-QP: Yet another quadratic programming solver
    for robotics and beyond, 2022. Each problem starts from the solution of the one before. An
    augmented Lagrangian nears its optimum as far as the conditioning lets it; where that is not
    close, or it says that there is none, DAQP is asked.
    """

    title = "ProxQP"
    requirement = "proxsuite>=0.7"
    infinity = 1e20  # what it takes for infinite

    def _begin(self) -> None:
        before = dict(os.environ)
        self._proxqp: Any = self._library("proxsuite").proxqp
        for name in os.environ.keys() - before.keys():  # it sets one of OpenMP's
            del os.environ[name]
        m, n = self.scaled.rows.shape
        self._last = DAQP()
        self._last.prepare(n, m)
        self._reached: Array = np.zeros(n + m)
        self._make()

    def _make(self) -> None:
        """Make a solver that has seen no problem."""
        m, n = self.scaled.rows.shape
        solver = self._solver = self._proxqp.dense.QP(n, 0, m, True)
        settings = solver.settings
        settings.eps_abs, settings.eps_rel = ACCURACY, 0.0
        settings.max_iter = self.most_iterations
        settings.initial_guess = self._proxqp.InitialGuess.WARM_START_WITH_PREVIOUS_RESULT
        self._hand_over(solver.init)

    def _solve(self) -> QPStatus:
        n, solver = len(self.scaled.gradient), self._solver
        self._hand_over(solver.update)
        solver.solve()
        results, scaled = solver.results, self.scaled
        self.iterations += results.info.iter
        # beyond by what is nothing in the scaled units may be something in the user's
        np.clip(results.x, scaled.bounds_lower[:n], scaled.bounds_upper[:n], out=scaled.solution)
        scaled.multipliers[:n] = results.z[-n:]
        scaled.multipliers[n:] = results.z[:-n]
        scaled.multipliers[np.abs(scaled.multipliers) <= ACCURACY] = 0.0
        if self._is_close(results.info):
            return QPStatus.SOLVED
        self._make()  # what it would begin with leads nowhere
        return self._ask_the_last()

    def _is_close(self, info: Any) -> bool:
        """Tell whether the conditions of an optimum are kept; not where anything is no number."""
        scaled = self.scaled
        np.matmul(scaled.rows, scaled.solution, out=self._reached[len(scaled.solution) :])
        self._reached[: len(scaled.solution)] = scaled.solution
        pulled = np.where(scaled.multipliers > 0.0, scaled.bounds_upper, scaled.bounds_lower)
        away = np.abs(self._reached - pulled)[scaled.multipliers != 0.0].max(initial=0.0)
        size = 1.0 + np.abs(self._reached).max()
        return bool(info.pri_res <= CLOSE and info.dua_res <= CLOSE and away <= CLOSE * size)

    def _solve_anew(self) -> QPStatus:
        return self._ask_the_last()

    def _hand_over(self, take: Any) -> None:
        """Call with the arrays; only what has rows is given as such."""
        n, scaled = len(self.scaled.gradient), self.scaled
        lower, upper = scaled.bounds_lower, scaled.bounds_upper
        rows = (scaled.rows, lower[n:], upper[n:]) if len(scaled.rows) else (None, None, None)
        take(scaled.hessian, scaled.gradient, None, None, *rows, lower[:n], upper[:n])

    def _ask_the_last(self) -> QPStatus:
        last, scaled = self._last, self.scaled
        np.copyto(last.hessian, scaled.hessian)
        np.copyto(last.gradient, scaled.gradient)
        np.copyto(last.rows, scaled.rows)
        np.copyto(last.bounds_lower, scaled.bounds_lower)
        np.copyto(last.bounds_upper, scaled.bounds_upper)
        for bounds, none in ((last.bounds_lower, -np.inf), (last.bounds_upper, np.inf)):
            bounds[np.abs(bounds) >= self.infinity] = none
        status = last.solve()
        self.iterations += last.iterations
        if status is QPStatus.SOLVED:
            np.copyto(scaled.solution, last.solution)
            np.copyto(scaled.multipliers, last.multipliers)
        return status
