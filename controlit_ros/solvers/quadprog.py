"""QuadProg: a dual active-set solver without warm start, where it is installed."""

from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.solvers.qp_solver import QPSolver, QPStatus


class QuadProg(QPSolver):
    """By quadprog, a dual active-set solver.

    Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic
    programs, 1983. Each problem begins anew, and takes memory of its own. The library is under the
    GPL, which is why nothing here requires it.
    """

    title = "QuadProg"
    requirement = "quadprog>=0.1.11"

    def _begin(self) -> None:
        self._quadprog: Any = self._library("quadprog")
        m, n = self.scaled.rows.shape
        identity = np.eye(n)
        self._normals: Array = np.zeros((n, 2 * (n + m)))  # of x ≥ l and R x ≥ l, then of −x ≥ −u
        self._normals[:, :n] = identity
        self._normals[:, n + m : 2 * n + m] = -identity

    def _solve(self) -> QPStatus:
        n, total = len(self.scaled.gradient), len(self.scaled.bounds_lower)
        self._normals[:, n:total] = self.scaled.rows.T
        self._normals[:, total + n :] = -self.scaled.rows.T
        bounds = np.concatenate((self.scaled.bounds_lower, -self.scaled.bounds_upper))
        bounded = np.isfinite(bounds)
        normals, offsets = self._normals[:, bounded], bounds[bounded]
        constraints = (normals, offsets) if bounded.any() else ()
        try:
            x, _, _, iterations, found, _ = self._quadprog.solve_qp(
                self.scaled.hessian, -self.scaled.gradient, *constraints
            )
        except ValueError as error:
            is_infeasible = "inconsistent" in str(error)
            return QPStatus.INFEASIBLE if is_infeasible else QPStatus.FAILED
        held = np.zeros(2 * total)
        held[bounded] = found[: len(offsets)]
        self.iterations = int(iterations[0])
        self.scaled.solution[:] = x
        np.subtract(held[total:], held[:total], out=self.scaled.multipliers)
        return QPStatus.SOLVED
