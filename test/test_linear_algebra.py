"""The truncated inverse keeps exactly the singular values its rule names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.kernels import range_factor
from controlit_ros.linear_algebra import PseudoInverse, symmetric_pseudo_inverse


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


def factored(matrix):
    """Return what the compiled kernel makes of a matrix, in the form of the readable function."""
    n = len(matrix)
    factor = np.full((n, n), np.nan)
    rank, condition = range_factor(np.ascontiguousarray(matrix), factor, np.empty((4, n, n)))
    return PseudoInverse(factor[:, :rank] @ factor[:, :rank].T, rank, condition)


both = pytest.mark.parametrize("invert", [symmetric_pseudo_inverse, factored])


@both
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("size", [2, 3, 6, 12])
@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_singular_values_are_dropped_below_the_cutoff_only(invert, turned, size, scale):
    vectors = np.linalg.qr(np.random.default_rng(size).normal(size=(size, size)))[0]
    basis = vectors if turned else np.eye(size)
    cutoff = 1e-6 * size * scale
    for factor, rank in ((1.001, size), (0.999, size - 1)):
        values = np.array([scale] * (size - 1) + [factor * cutoff])
        result = invert((basis * values) @ basis.T)
        assert result.rank == rank
        expected = np.where(np.arange(size) < rank, 1.0 / values, 0.0)
        inverse = basis.T @ result.inverse @ basis
        np.testing.assert_allclose(
            inverse, np.diag(expected), rtol=1e-6, atol=1e-6 * expected.max()
        )
        condition = scale / values[rank - 1]
        assert condition * (1.0 - 1e-6) <= result.condition <= rank * condition * (1.0 + 1e-6)


@both
@pytest.mark.parametrize(("largest", "rank"), [(0.0, 0), (1e-6, 0), (1.001e-6, 2), (1e-3, 2)])
def test_a_matrix_without_a_singular_value_above_the_absolute_cutoff_gives_zero(
    invert, largest, rank
):
    result = invert(np.diag([largest, largest]))
    assert result.rank == rank
    assert np.any(result.inverse) == (rank > 0)
    assert 1.0 <= result.condition <= max(rank, 1) * (1.0 + 1e-12)


@given(SEEDS, st.integers(1, 12), st.integers(0, 12))
def test_the_compiled_kernel_follows_the_rule(seed, size, rank):
    rng = np.random.default_rng(seed)
    spread = 10.0 ** rng.uniform(-8, 2, size)
    spread[min(rank, size) :] = 0.0
    if spread.max() > 0.0:
        relative = spread / (1e-6 * size * spread.max())
        # rounding decides at the very cutoff
        spread[(relative > 0.99) & (relative < 1.01)] = 0.0
    matrix = with_spectrum(spread, seed)
    expected, result = symmetric_pseudo_inverse(matrix), factored(matrix)
    assert result.rank == expected.rank
    scale = np.abs(expected.inverse).max()
    np.testing.assert_allclose(result.inverse, expected.inverse, atol=1e-6 * scale + 1e-12)


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
