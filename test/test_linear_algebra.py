"""What counts as independent: the rule as it is written, against known ranks and SciPy."""

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros import linear_algebra
from controlit_ros.linear_algebra import LOST, ROUNDING, independent_rows, transposed_inverse


def rows_of_rank(rng, m, n, rank):
    """Return rows of some rank whose units differ by twelve orders of magnitude."""
    M = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n))
    return 10.0 ** rng.uniform(-6.0, 6.0, m)[:, None] * M


@given(SEEDS, st.integers(1, 10), st.integers(1, 12), st.integers(0, 10))
def test_the_rank_is_that_of_rows_in_any_units(seed, m, n, rank):
    rng = np.random.default_rng(seed)
    rank = min(rank, m, n)
    M = rows_of_rank(rng, m, n, rank)
    found = independent_rows(M)
    assert len(found.order) == rank
    np.testing.assert_allclose(found.basis @ found.basis.T, np.eye(rank), atol=1e-12)
    lengths = np.linalg.norm(M, axis=1, keepdims=True) + 1e-300
    np.testing.assert_allclose(found.coefficients @ found.basis / lengths, M / lengths, atol=1e-7)


@given(SEEDS, st.integers(1, 10), st.integers(1, 12))
def test_units_change_neither_the_choice_nor_the_order(seed, m, n):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(m, n))
    units = 2.0 ** rng.integers(-30, 30, m)
    assert independent_rows(units[:, None] * M).order == independent_rows(M).order


@given(SEEDS, st.integers(2, 8), st.sampled_from([0.8, 1.25]))
def test_dependent_is_what_rounding_leaves(seed, n, part):
    rng = np.random.default_rng(seed)
    first, across = np.linalg.qr(rng.normal(size=(n, 2)))[0].T
    M = np.array([first, 3.0 * first + 3.0 * part * ROUNDING * across])
    assert len(independent_rows(M).order) == (2 if part > 1.0 else 1)


@pytest.mark.parametrize("inertial", [0.8, 1.25])
@pytest.mark.parametrize("kinematic", [0.8, 1.25])
def test_lost_is_what_neither_moves_easily_nor_far(inertial, kinematic):
    M = np.diag([1.0, inertial * LOST])
    reach = np.diag([1.0, kinematic / inertial])  # of the second row: kinematic times LOST
    found = independent_rows(M, np.ones(2), np.ones(2), reach, np.ones(2))
    assert len(found.order) == (1 if inertial < 1.0 and kinematic < 1.0 else 2)


@given(SEEDS, st.integers(1, 10), st.integers(1, 10))
def test_the_inverse_is_that_of_penrose(seed, m, rank):
    rank = min(m, rank)
    C = np.random.default_rng(seed).normal(size=(m, rank))
    E = transposed_inverse(C)
    scale = np.linalg.cond(C) ** 2
    np.testing.assert_allclose(C.T @ E, np.eye(rank), atol=1e-12 * scale)
    np.testing.assert_allclose(E, np.linalg.pinv(C).T, atol=1e-12 * scale * np.abs(E).max())


def test_no_rows():
    found = independent_rows(np.zeros((0, 4)))
    assert found.order == ()
    assert found.basis.shape == (0, 4)
    assert transposed_inverse(found.coefficients).shape == (0, 0)


@pytest.mark.parametrize("name", ["ROUNDING", "NOISE", "LOST"])
def test_the_compiled_rule_has_the_same_numbers(name):
    compiled = importlib.import_module("controlit_ros.kernels.independent_rows")
    assert getattr(compiled, name) == getattr(linear_algebra, name)
