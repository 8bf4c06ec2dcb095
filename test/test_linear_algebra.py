"""The truncated inverse keeps exactly the singular values its rule names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.linear_algebra import symmetric_pseudo_inverse


def with_spectrum(values, seed=0):
    vectors = np.linalg.qr(np.random.default_rng(seed).normal(size=(len(values), len(values))))[0]
    return (vectors * np.asarray(values)) @ vectors.T


@given(SEEDS, st.integers(1, 12), st.integers(0, 12))
def test_penrose_conditions(seed, size, rank):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(size, min(rank, size)))
    matrix = factor @ factor.T
    result = symmetric_pseudo_inverse(matrix)
    inverse = result.inverse
    # what is dropped is at most the cutoff, what is kept amplifies by at most its inverse
    scale = max(np.abs(matrix).max(), 1e-9)
    np.testing.assert_allclose(matrix @ inverse @ matrix, matrix, atol=2e-5 * size * scale)
    np.testing.assert_allclose(
        inverse @ matrix @ inverse, inverse, rtol=1e-7, atol=1e-7 * (1 + np.abs(inverse).max())
    )
    np.testing.assert_allclose(
        inverse, inverse.T, rtol=1e-9, atol=1e-9 * (1 + np.abs(inverse).max())
    )


@given(SEEDS, st.integers(1, 12))
def test_a_well_conditioned_matrix_is_inverted_exactly(seed, size):
    values = np.random.default_rng(seed).uniform(0.1, 10.0, size)
    matrix = with_spectrum(values, seed)
    result = symmetric_pseudo_inverse(matrix)
    np.testing.assert_allclose(result.inverse, np.linalg.inv(matrix), rtol=1e-9, atol=1e-9)
    assert result.rank == size
    assert result.condition == pytest.approx(values.max() / values.min(), rel=1e-9)


@pytest.mark.parametrize("size", [2, 3, 6, 12])
@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_singular_values_are_dropped_below_the_cutoff_only(size, scale):
    cutoff = 1e-6 * size * scale
    above = symmetric_pseudo_inverse(np.diag([scale] * (size - 1) + [1.01 * cutoff]))
    below = symmetric_pseudo_inverse(np.diag([scale] * (size - 1) + [0.99 * cutoff]))
    assert (above.rank, below.rank) == (size, size - 1)
    assert above.inverse[-1, -1] == pytest.approx(1.0 / (1.01 * cutoff))
    assert below.inverse[-1, -1] == 0.0
    assert above.condition == pytest.approx(scale / (1.01 * cutoff))
    assert below.condition == 1.0


@pytest.mark.parametrize(("largest", "rank"), [(0.0, 0), (1e-6, 0), (1.001e-6, 2), (1e-3, 2)])
def test_a_matrix_without_a_singular_value_above_the_absolute_cutoff_gives_zero(largest, rank):
    result = symmetric_pseudo_inverse(np.diag([largest, largest]))
    assert result.rank == rank
    assert np.any(result.inverse) == (rank > 0)
    assert result.condition == 1.0


def test_agrees_with_numpy_for_rank_deficient_matrices():
    for seed in range(20):
        matrix = with_spectrum([3.0, 1.0, 1e-3, 1e-7, 0.0], seed)
        expected = np.linalg.pinv(matrix, rcond=1e-6 * 5)
        np.testing.assert_allclose(symmetric_pseudo_inverse(matrix).inverse, expected, atol=1e-7)


def test_no_rows():
    result = symmetric_pseudo_inverse(np.zeros((0, 0)))
    assert result.inverse.shape == (0, 0)
    assert result.rank == 0


def test_the_argument_is_left_alone():
    matrix = with_spectrum([2.0, 1.0, 0.5])
    before = matrix.copy()
    symmetric_pseudo_inverse(matrix)
    np.testing.assert_array_equal(matrix, before)
