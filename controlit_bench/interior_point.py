"""A quadratic program by an interior point, and then without an interior point's gap."""

import importlib
from typing import Any

import numpy as np
from scipy.optimize import nnls
from scipy.sparse import csc_matrix

from controlit_ros.arrays import Array, Flags
from controlit_ros.optimisation.control_problem import QuadraticProgram

TOLERANCE = 1e-11
SURE = 1e-9
"""By which the conditions of the optimum may be missed, or it is not taken for one."""
WIDER = 1e-8
"""By how much more the interior point allows: what has no inside has one then."""


def optimum(program: QuadraticProgram) -> Array | None:
    """Return where a program has its optimum, `(n,)`, by clarabel.

    Clarabel tells which bounds are met; where they hold x is a linear system, and what it gives has
    to keep the conditions of an optimum, or there is none: the pulls of the bounds are sought among
    those that are not negative (Lawson and Hanson 1974), since where rows depend on each other some
    pulls may be.

    Raises:
        ImportError: clarabel is not installed.
    """
    H, g = program.hessian, program.gradient
    upper, lower = np.isfinite(program.upper), np.isfinite(program.lower)
    G = np.vstack([program.equal, program.rows[upper], -program.rows[lower]])
    h = np.concatenate([program.values, program.upper[upper], -program.lower[lower]])
    equal = len(program.values)
    active = _active(H, g, G, h, equal)
    x = _held_by(H, g, G[active], h[active])
    beyond = (G @ x - h) / (1.0 + np.linalg.norm(G, axis=1))
    missed = max(np.abs(beyond[:equal]).max(initial=0.0), beyond[equal:].max(initial=0.0))
    slope = -(H @ x + g)
    pulls = np.column_stack([np.zeros_like(g), *G[active], *-G[:equal]])  # SciPy needs one
    unexplained = nnls(pulls, slope)[1]
    is_within = missed < SURE * (1.0 + np.abs(x).max())
    return x if is_within and unexplained < SURE * (1.0 + np.abs(g).max()) else None


def _active(H: Array, g: Array, G: Array, h: Array, equal: int) -> Flags:
    """Return which rows of `G x ≤ h`, the first of which are equalities, hold x at its optimum."""
    clarabel: Any = importlib.import_module("clarabel")
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(len(h) - equal)]
    allowed = h + WIDER * (1.0 + np.abs(h))
    allowed[:equal] = h[:equal]
    solver = clarabel.DefaultSolver(
        csc_matrix(np.triu(H)), g, csc_matrix(G), allowed, cones, settings
    )
    answer = solver.solve()
    active: Flags = np.asarray(answer.z) > np.asarray(answer.s)
    active[:equal] = True
    return active


def _held_by(H: Array, g: Array, rows: Array, values: Array) -> Array:
    """Return where rows that are met hold x, `(n,)`."""
    whole = np.block([[H, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    found = np.linalg.lstsq(whole, np.concatenate((-g, values)), rcond=1e-14)[0]
    x: Array = found[: len(g)]
    return x
