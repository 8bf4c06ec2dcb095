"""Accelerations, efforts and wrenches as unknowns, the dynamics as rows, by an interior point."""

import numpy as np
import pytest
from hypothesis import assume
from scipy.sparse import csc_matrix

SIDES, MARGIN = 8, 0.05
NO_LIMIT = 1e5  # [N] in place of infinity
SURE = 1e-9
"""By which the conditions of the optimum may be missed, or it is not taken for one."""


def whole_problem(setup, weights, *, limit, regularisation, kept=None):
    """Return the optimal acceleration and effort, `(nv,)` and `(na,)`.

    Args:
        setup: See `test_wbosc.Setup`; contacts that tell friction are kept within it.
        weights: Of each level, highest first.
        limit: `(na,)` or a number: of the efforts in either direction.
        regularisation: Weight of the efforts.
        kept: Rows `(k, nv)` and values `(k,)` of accelerations; none: all may change.
    """
    clarabel = pytest.importorskip("clarabel")
    model, compound = setup.model, setup.compound
    robot, na, nc = model.robot_model, len(setup.command.effort), len(model.Jc)
    nv = len(robot.v)
    n = nv + na + nc
    H, g = np.zeros((n, n)), np.zeros(n)
    for weight, level in zip(weights, compound.levels, strict=True):
        J = compound.jacobian[level.rows]
        wanted = compound.command[level.rows] - compound.bias[level.rows]
        H[:nv, :nv] += weight * J.T @ J
        g[:nv] -= weight * J.T @ wanted
    Phi = model.Phi
    still = np.eye(na) - Phi @ np.linalg.pinv(Phi, rcond=1e-9)
    metric = Phi + np.trace(Phi) / na * still.T @ still
    efforts = slice(nv, nv + na)
    H[efforts, efforts] += regularisation * metric
    g[efforts] -= regularisation * metric @ model.bias_effort
    U = np.eye(nv)[model.robot_model.description.command_dofs]
    dynamics = np.hstack((robot.A, -U.T, -model.Jc.T))
    holding = np.hstack((model.Jc, np.zeros((nc, na + nc))))
    rows, bounds = [dynamics, holding], [-robot.BG, -model.Jc_bias]
    if kept is not None:
        rows.append(np.hstack((kept[0], np.zeros((len(kept[0]), na + nc)))))
        bounds.append(kept[1])
    within, limits, first = [np.zeros((0, n))], [np.zeros(0)], nv + na
    for contact, site in zip(model.constraints.contacts, setup.description.contacts, strict=True):
        size = contact.dimension
        if site.hold is not None:
            cone = site.hold.cone(SIDES, MARGIN)
            turn = np.kron(np.eye(size // 3), contact.axes(robot).T)
            row = np.zeros((len(cone.rows), n))
            row[:, first : first + size] = cone.rows[:, :size] @ turn
            within.append(row)
            limits.append(np.minimum(cone.limits, NO_LIMIT))
        first += size
    select, ends = np.eye(n)[efforts], np.broadcast_to(limit, na)
    cones, equal = np.vstack(within), np.concatenate(bounds)
    G, h = (
        np.vstack([*rows, cones, select, -select]),
        np.concatenate([equal, *limits, ends, ends]),
    )
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    problem = clarabel.DefaultSolver(
        csc_matrix(np.triu(H)),
        g,
        csc_matrix(G),
        h,
        [clarabel.ZeroConeT(len(equal)), clarabel.NonnegativeConeT(len(cones) + 2 * na)],
        settings,
    )
    answer = problem.solve()
    assume(answer.status == clarabel.SolverStatus.Solved)  # it seldom says that it is lost
    active = np.asarray(answer.z) > np.asarray(answer.s)
    active[: len(equal)] = True
    found = polished(H, g, G, h, active, len(equal))
    return found[:nv], found[efforts]


def polished(H, g, G, h, active, equalities):
    """Return the optimum for the rows that are active, `(n,)`, without an interior point's gap."""
    n, rows = len(g), G[active]
    whole = np.block([[H, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    solution = np.linalg.lstsq(whole, np.concatenate((-g, h[active])), rcond=1e-14)[0]
    x, pull = solution[:n], solution[n + equalities :]
    assume((G @ x - h).max() < SURE * (1.0 + np.abs(x).max()))
    assume(pull.min(initial=0.0) > -SURE * (1.0 + np.abs(g).max()))
    return x


def cascade(setup, *, limit, regularisation):
    """Return the effort of strict levels, each with all the equalities of those above."""
    levels = setup.compound.levels
    rows, values = np.zeros((0, len(setup.model.robot_model.v))), np.zeros(0)
    effort = np.zeros(0)
    for number, level in enumerate(levels):
        only = np.eye(len(levels))[number]
        found, effort = whole_problem(
            setup, only, limit=limit, regularisation=regularisation, kept=(rows, values)
        )
        J = setup.compound.jacobian[level.rows]
        rows, values = np.vstack((rows, J)), np.concatenate((values, J @ found))
    return effort
