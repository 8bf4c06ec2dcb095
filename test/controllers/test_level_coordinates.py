"""Coordinates of levels: orthonormal in the metric of the efforts, and no level moves one above."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from test_contact_cones import POINT, SOLE, PointContact, biped

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.hierarchical import Hierarchical
from controlit_ros.kernels import coordinates_left


def prepared(kind, parameters, seed):
    """Return a setup whose problem is written, and its prioritisation."""
    setup = biped(kind, parameters, prioritisation=Hierarchical, reach=0.1, seed=seed)
    setup.compound.compute(0.001)
    setup.controller.rehearse(setup.model, setup.compound)
    return setup, setup.controller.prioritisation


@given(SEEDS, st.sampled_from([(FlatContact, SOLE), (PointContact, POINT)]))
def test_they_are_orthonormal_and_levels_have_their_own(seed, contact):
    setup, found = prepared(*contact, seed)
    model, compound, na = setup.model, setup.compound, len(setup.command.effort)
    G, F = found._rows[:na], found._motion[: len(compound.command)]
    still = np.eye(na) - model.Phi @ np.linalg.pinv(model.Phi, rcond=1e-9)
    metric = model.Phi + np.trace(model.Phi) / na * still
    tolerance = 1e-11 * np.linalg.cond(metric)
    np.testing.assert_allclose(G.T @ metric @ G, np.eye(na), atol=tolerance)
    moved = compound.jacobian @ model.UNc_bar @ model.Phi @ G
    np.testing.assert_allclose(F, moved, atol=tolerance * (1.0 + np.abs(moved).max()))
    used = 0
    for level, rank in zip(compound.levels, found._level_rank, strict=False):
        used += rank
        assert rank == np.linalg.matrix_rank(F[level.rows, used - rank : used], tol=1e-9)
        assert np.abs(F[level.rows, used:]).max(initial=0.0) < 1e-9 * np.abs(F).max()


@given(SEEDS, st.integers(0, 5), st.integers(1, 4))
def test_those_left_keep_locked_rows_by_the_first_of_them(seed, first, count):
    setup, found = prepared(FlatContact, SOLE, seed)
    na, rng = len(setup.command.effort), np.random.default_rng(seed)
    m = len(found._rows)
    locked = np.zeros(m, dtype=bool)
    locked[rng.choice(m, count, replace=False)] = True
    left = na - first
    B = np.zeros((left, left))
    kept = coordinates_left(
        found._rows, locked, found._motion, found._whole, setup.compound.level_ends, 1, first, B,
        found._level_rank, found._row_work[1], found._square_work, found._basis_work,
        found._vectors,
    )  # fmt: skip
    np.testing.assert_allclose(B @ B.T, np.eye(left), atol=1e-12)
    rows = found._rows[locked][:, first:]
    turned = rows @ B.T
    rest = np.linalg.norm(turned[:, kept:], axis=1)
    assert (rest <= 1.1e-2 * np.linalg.norm(rows, axis=1)).all()
    level = setup.compound.levels[1].rows
    below = found._motion[level][:, first:] @ B.T
    own = kept + found._level_rank[1]
    assert np.abs(below[:, own:]).max(initial=0.0) < 1e-9 * np.abs(found._motion).max()
