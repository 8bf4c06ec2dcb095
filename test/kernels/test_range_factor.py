"""The factored pseudo-inverse against the rule it must follow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.kernels import range_factor
from controlit_ros.linear_algebra import symmetric_pseudo_inverse

SEEDS = st.integers(0, 2**32 - 1)


def factor(matrix):
    n = len(matrix)
    E = np.full((n, n), np.nan)
    rank, condition = range_factor(matrix, E, np.full((4, n, n), np.nan))
    return E[:, :rank], rank, condition


def with_spectrum(values, seed):
    n = len(values)
    basis, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))
    matrix = (basis * values) @ basis.T
    return (matrix + matrix.T) / 2.0


@given(SEEDS, st.integers(1, 16), st.integers(0, 16), st.floats(-4.0, 6.0), st.floats(0.0, 2.5))
def test_agrees_with_the_rule(seed, size, deficiency, log_scale, log_condition):
    rank = max(size - deficiency, 0)
    values = np.zeros(size)
    values[:rank] = 10.0 ** (log_scale - np.linspace(0.0, log_condition, rank))
    matrix = with_spectrum(values, seed)
    expected = symmetric_pseudo_inverse(matrix)
    E, found, condition = factor(matrix)
    assert found == expected.rank
    scale = max(np.abs(expected.inverse).max(), 1e-300)
    np.testing.assert_allclose(E @ E.T / scale, expected.inverse / scale, atol=1e-11)
    np.testing.assert_allclose(E.T @ matrix @ E, np.eye(found), atol=1e-11)
    if found:
        assert (
            expected.condition * (1 - 1e-9) <= condition <= expected.condition * found * (1 + 1e-9)
        )


@given(SEEDS, st.integers(2, 12), st.sampled_from([0.3, 0.9, 0.99, 1.01, 1.1, 3.0]))
def test_cuts_exactly_where_the_rule_cuts(seed, size, distance):
    cutoff = 1e-6 * size
    values = np.ones(size)
    values[-1] = cutoff * distance
    _, rank, _ = factor(with_spectrum(values, seed))
    assert rank == (size if distance > 1.0 else size - 1)


@pytest.mark.parametrize(("largest", "rank"), [(0.99e-6, 0), (1.01e-6, 3), (0.0, 0), (1e-300, 0)])
def test_a_small_matrix_counts_as_zero(largest, rank):
    assert factor(largest * np.eye(3))[1] == rank


def test_an_empty_matrix_has_rank_zero():
    assert factor(np.zeros((0, 0)))[1:] == (0, 1.0)


@given(SEEDS)
def test_dependent_rows_of_the_control_law_are_found(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(6, 15))
    heading = rng.normal(size=3)
    heading /= np.linalg.norm(heading)
    rows[3:] -= np.outer(heading, heading @ rows[3:])
    E, rank, _ = factor(rows @ rows.T)
    assert rank == 5
    np.testing.assert_allclose(E @ E.T, np.linalg.pinv(rows @ rows.T, rcond=1e-6), atol=1e-10)


def test_a_not_finite_matrix_does_not_hang_or_crash():
    matrix = np.full((4, 4), np.nan)
    rank = factor(matrix)[1]
    assert 0 <= rank <= 4
