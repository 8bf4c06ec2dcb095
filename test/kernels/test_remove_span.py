"""Rows are orthogonal to a basis however little of them is left, in any metric."""

import numpy as np
import pytest
from test_independent_rows import almost_dependent

from controlit_ros.kernels import independent_rows, remove_span

CASES = 20
PARTS = [0.5, 1e-1, 1e-3, 1e-5, 1e-7]  # [-] of a row that the basis does not span
INERTIA = (-7.0, 2.0)  # powers of ten [kg m²]: from the rotor of a finger to a trunk
EXACT = np.longdouble


def metric_of(rng, n, powers):
    """Return a metric whose eigenvalues are between powers of ten, and rows orthonormal in it."""
    root = np.linalg.qr(rng.normal(size=(n, n)))[0] * 10.0 ** (rng.uniform(*powers, n) / 2.0)
    return root @ root.T, np.linalg.qr(rng.normal(size=(n, n)))[0] @ np.linalg.inv(root)


def across(rows, basis, metric):
    """Return the largest cosine between a row and one of the basis, without rounding of its own."""
    rows, metric = rows.astype(EXACT), metric.astype(EXACT)
    length = np.sqrt(np.einsum("ij,jk,ik->i", rows, metric, rows))
    return float(np.max(np.abs(rows @ metric @ basis.T.astype(EXACT)) / length[:, None]))


def nearly_spanned(rng, basis, others, part):
    spanned = rng.normal(size=(4, len(basis))) @ basis
    return spanned + part * rng.normal(size=(4, len(others))) @ others


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("part", PARTS)
def test_in_the_identity(rng, part, scale):
    for _ in range(CASES):
        frame = np.linalg.qr(rng.normal(size=(12, 12)))[0]
        rows = scale * nearly_spanned(rng, frame[:5], frame[5:], part)
        expected = rows @ frame[5:].T @ frame[5:]
        remove_span(rows, frame[:5].copy(), frame[:5].copy(), 5, False)
        assert across(rows, frame[:5], np.eye(12)) < 1e-13
        np.testing.assert_allclose(rows / scale, expected / scale, atol=1e-14)


@pytest.mark.parametrize("part", PARTS)
def test_in_the_metric_of_inertia(rng, part):
    """The duals themselves are rounded, so a few cases are worse than the others."""
    found = []
    for _ in range(CASES):
        metric, frame = metric_of(rng, 12, INERTIA)
        basis = frame[:5].copy()
        dual = basis @ metric
        rows = nearly_spanned(rng, basis, frame[5:], part)
        remove_span(rows, basis, dual, 5, True)
        length = np.sqrt(np.einsum("ij,jk,ik->i", rows, metric, rows))
        found.append(np.max(np.abs(rows.astype(EXACT) @ dual.T.astype(EXACT)) / length[:, None]))
    assert np.median(found) < 1e-11
    assert max(found) < 1e-7


def test_rows_past_those_used_take_no_part(rng):
    rows, basis = rng.normal(size=(2, 4)), np.full((4, 4), np.nan)
    basis[0] = [1.0, 0.0, 0.0, 0.0]
    before = rows.copy()
    remove_span(rows, basis, basis, 0, False)
    np.testing.assert_array_equal(rows, before)
    remove_span(rows, basis, basis, 1, False)
    np.testing.assert_allclose(rows[:, 1:], before[:, 1:])
    np.testing.assert_allclose(rows[:, 0], 0.0, atol=1e-15)


@pytest.mark.parametrize(
    ("powers", "largest"), [((0.0, 0.0), 1e-14), ((-1.0, 1.0), 1e-13), (INERTIA, 1e-8)]
)
@pytest.mark.parametrize("closeness", [1.0, 4.0])
def test_nearly_parallel_rows_make_an_orthonormal_basis(rng, powers, largest, closeness):
    """No worse for rows that are almost parallel: that is what the second time is for."""
    found, parts = [], []
    for _ in range(CASES):
        metric, frame = metric_of(rng, 12, powers)
        M = almost_dependent(rng, 5, 12, closeness) @ frame
        rows, duals = M.copy(), M @ metric
        basis, dual = np.full((2, 12, 12), np.nan)
        C, length = np.full((5, 5), np.nan), np.sqrt(np.einsum("ij,ij->i", M, duals))
        rank = independent_rows(
            rows, duals, metric, length, length, np.zeros((0, 12)), length, 0, basis, dual, C,
            np.full(5, np.nan), np.full(5, np.nan),
        )  # fmt: skip
        assert rank == 5
        B, G = basis[:5].astype(EXACT), metric.astype(EXACT)
        found.append(np.abs(B @ G @ B.T - np.eye(5)).max())
        parts.append(np.abs(C @ B - M).max() / np.abs(M).max())
        np.testing.assert_allclose(dual[:5], basis[:5] @ metric, atol=1e-9 * np.abs(dual[:5]).max())
    assert np.median(found) < largest
    assert max(parts) < 1e-12
