"""What six rows demand of the base, however badly they are conditioned."""

import numpy as np
import pytest

from controlit_ros.kernels import hold_base


def exactly(X, b):
    """Solve by elimination in twice the digits that matter, refined."""
    x = np.linalg.solve(X, b)
    wide = X.astype(np.longdouble)
    for _ in range(5):
        x = x + np.linalg.solve(X, (b - wide @ x.astype(np.longdouble)).astype(float))
    return x


def rows_of(rng, condition, lengths):
    """Return `(6, 6)` rows of unlike length with singular values over a range."""
    left, right = (np.linalg.qr(rng.normal(size=(6, 6)))[0] for _ in range(2))
    X = (left * np.logspace(0.0, -np.log10(condition), 6)) @ right
    return 10.0 ** rng.uniform(-lengths, lengths, 6)[:, None] * X


@pytest.mark.parametrize("condition", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("lengths", [0.0, 4.0, 12.0])
def test_the_base_moves_as_the_rows_demand(rng, condition, lengths):
    for start in range(3):
        X = rows_of(rng, condition, lengths)
        Jc, bias = rng.normal(size=(9, 11)), rng.normal(size=9)
        Jc[start : start + 6] = np.hstack([X, np.zeros((6, 5))])
        bias[start : start + 6] *= np.linalg.norm(X, axis=1)  # each row in its own unit
        drift = np.full(11, 7.0)
        assert hold_base(Jc, bias, start, drift, np.full((8, 6, 6), np.nan))
        expected = exactly(X, bias[start : start + 6])
        error = np.linalg.norm(drift[:6] - expected) / np.linalg.norm(expected)
        assert error < 1e-14 * condition
        np.testing.assert_array_equal(drift[6:], 7.0)


@pytest.mark.parametrize("row", range(6))
def test_six_rows_of_which_one_repeats_another_hold_nothing(rng, row):
    X = rows_of(rng, 10.0, 4.0)
    X[row] = -3.0 * X[(row + 1) % 6]
    drift = np.full(8, 7.0)
    Jc = np.hstack([X, np.zeros((6, 2))])
    assert not hold_base(Jc, rng.normal(size=6), 0, drift, np.full((8, 6, 6), np.nan))
    np.testing.assert_array_equal(drift, 7.0)
