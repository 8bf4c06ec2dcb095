"""A quadratic program by an interior point, and then without an interior point's gap."""

import importlib
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_matrix

from controlit_ros.arrays import Array, Flags
from controlit_ros.optimisation.control_problem import QuadraticProgram

TOLERANCE = 1e-11
SURE = 1e-9
"""By which the conditions of the optimum may be missed, or it is not taken for one."""


class Optimum(NamedTuple):
    """Where a program has its optimum.

    Attributes:
        x: `(n,)`.
        pull: `(m,)` how hard each bound of the rows holds it, at least zero but for rounding.
    """

    x: Array
    pull: Array


def optimum(program: QuadraticProgram) -> Optimum | None:
    """Return the optimum by clarabel; none: what it finds does not keep the conditions of one.

    Raises:
        ImportError: clarabel is not installed.
    """
    clarabel: Any = importlib.import_module("clarabel")
    H, g = program.hessian, program.gradient
    upper, lower = np.isfinite(program.upper), np.isfinite(program.lower)
    G = np.vstack([program.equal, program.rows[upper], -program.rows[lower]])
    h = np.concatenate([program.values, program.upper[upper], -program.lower[lower]])
    equal = len(program.values)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(len(h) - equal)]
    solver = clarabel.DefaultSolver(csc_matrix(np.triu(H)), g, csc_matrix(G), h, cones, settings)
    answer = solver.solve()
    active = np.asarray(answer.z) > np.asarray(answer.s)
    active[:equal] = True
    found = _polished(H, g, G, h, active)
    if found is None:
        return None
    x, held = found
    if held[equal:].min(initial=0.0) <= -SURE * (1.0 + np.abs(g).max()):
        return None
    pull = np.zeros(len(program.rows))
    above = equal + int(upper.sum())
    pull[upper] += held[equal:above]
    pull[lower] += held[above:]
    return Optimum(x, pull)


def _polished(H: Array, g: Array, G: Array, h: Array, active: Flags) -> tuple[Array, Array] | None:
    """Return where rows that are active hold x, and how hard each does; none if x breaks others."""
    n, rows = len(g), G[active]
    whole = np.block([[H, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    right = np.concatenate((-g, h[active]))
    solution = np.linalg.lstsq(whole, right, rcond=1e-14)[0]
    x, held = solution[:n], np.zeros(len(h))
    held[active] = solution[n:]
    missed = np.abs(whole @ solution - right).max()
    is_kept = max((G @ x - h).max(), missed) < SURE * (1.0 + np.abs(x).max() + np.abs(g).max())
    return (x, held) if is_kept else None
