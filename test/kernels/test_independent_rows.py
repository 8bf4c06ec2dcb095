"""Independent rows by the compiled kernel: against the rule, known ranks and other metrics."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controlit_ros.kernels import (
    NOT_FINITE,
    independent_rows,
    least_squares,
    transposed_inverse,
)
from controlit_ros.linear_algebra import LOST, ROUNDING
from controlit_ros.linear_algebra import independent_rows as specified

SEEDS = st.integers(0, 2**32 - 1)


class Found:
    """What the kernel makes of rows, on memory full of rubbish.

    Args:
        M: `(m, n)`.
        metric: `(n, n)` of the lengths; `None`: the identity.
        above: `(used, n)` orthonormal rows that are there already.
        whole, size, reach, reach_size: See the kernel.
    """

    def __init__(
        self, M, metric=None, above=None, *, whole=None, size=None, reach=None, reach_size=None
    ):
        m, n = M.shape
        is_oblique = metric is not None
        used = 0 if above is None else len(above)
        rows = M.copy()
        duals = M @ metric if is_oblique else rows
        basis = np.full((n, n), np.nan)
        if above is not None:
            basis[:used] = above
        dual = np.full((n, n), np.nan) if is_oblique else basis
        if is_oblique and above is not None:
            dual[:used] = above @ metric
        length = np.sqrt(np.maximum(np.einsum("ij,ij->i", M, duals), 0.0))
        self.C = np.full((m, m), np.nan)
        self.order = np.full(m, np.nan)
        self.rank = independent_rows(
            rows,
            duals,
            np.zeros((0, 0)) if metric is None else metric,
            length if whole is None else whole,
            length if size is None else size,
            np.zeros((0, n)) if reach is None else reach,
            np.zeros(m) if reach_size is None else reach_size,
            used,
            basis,
            dual,
            self.C,
            self.order,
            np.full(m, np.nan),
        )
        self.basis = basis[used : used + max(self.rank, 0)]


def almost_dependent(rng, m, n, closeness):
    """Return unit rows of which each leaves only a part of the span of those before."""
    M = np.zeros((m, n))
    for i in range(m):
        new = rng.normal(size=n) * 10.0 ** -rng.uniform(0.0, closeness)
        M[i] = new + (rng.normal(size=i) @ M[:i] if i else 0.0)
        M[i] /= np.linalg.norm(M[i])
    return M


@given(SEEDS, st.integers(1, 8), st.integers(0, 8), st.integers(0, 4), st.floats(0.0, 3.0))
def test_the_kernel_follows_the_rule(seed, m, rank, repeated, closeness):
    rng = np.random.default_rng(seed)
    n = 10
    M = almost_dependent(rng, min(max(rank, 1), n), n, closeness)
    M = np.vstack([M, rng.normal(size=(m, len(M))) @ M, M[rng.integers(len(M), size=repeated)]])
    M = 10.0 ** rng.uniform(-6, 6, len(M))[:, None] * rng.permutation(M)
    expected, found = specified(M), Found(M)
    assert found.rank == len(expected.order)
    np.testing.assert_allclose(found.basis @ found.basis.T, np.eye(found.rank), atol=1e-12)
    lengths = np.linalg.norm(M, axis=1, keepdims=True)
    C = found.C[:, : found.rank]
    np.testing.assert_allclose(C @ found.basis / lengths, M / lengths, atol=1e-9)
    projector = expected.basis.T @ expected.basis
    np.testing.assert_allclose(found.basis.T @ found.basis, projector, atol=1e-6)
    assert sorted(found.order.tolist()) == list(range(len(M)))


@given(SEEDS, st.integers(2, 8), st.booleans())
def test_rows_are_taken_in_the_order_of_the_rule_whatever_their_units(seed, m, has_reach):
    rng = np.random.default_rng(seed)
    M = 10.0 ** rng.uniform(-6, 6, m)[:, None] * almost_dependent(rng, m, 10, 3.0)
    whole = np.linalg.norm(M, axis=1)
    size = whole * rng.uniform(1.0, 2.0, m)  # no two are equal
    measures = {"whole": whole, "size": size}
    if has_reach:
        measures |= {"reach": np.eye(10), "reach_size": size}
    found = Found(M, **measures)
    assert tuple(found.order[: found.rank].astype(int)) == specified(M, **measures).order


@given(SEEDS, st.integers(2, 8), st.sampled_from([0.8, 1.25]), st.booleans())
def test_it_cuts_exactly_where_the_rule_cuts(seed, n, part, is_oblique):
    rng = np.random.default_rng(seed)
    root = np.linalg.qr(rng.normal(size=(n, n)))[0] * rng.uniform(0.5, 2.0, n)
    first, across = np.linalg.qr(rng.normal(size=(n, 2)))[0].T
    M = np.array([first, 3.0 * first + 3.0 * part * ROUNDING * across])
    metric = None
    if is_oblique:
        M, metric = M @ np.linalg.inv(root), root @ root.T
    assert Found(M, metric).rank == (2 if part > 1.0 else 1)


@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e3])
@pytest.mark.parametrize("inertial", [0.8, 1.25])
@pytest.mark.parametrize("kinematic", [0.8, 1.25])
def test_lost_is_what_neither_moves_easily_nor_far(inertial, kinematic, unit):
    units = np.array([unit, 1.0 / unit])
    M = np.diag(units * [1.0, inertial * LOST])
    reach = np.diag([1.0, kinematic / inertial])
    found = Found(M, whole=units, size=units, reach=reach, reach_size=units)
    assert found.rank == (1 if inertial < 1.0 and kinematic < 1.0 else 2)


@given(SEEDS, st.integers(1, 6), st.integers(0, 4), st.floats(0.0, 5.0), st.booleans())
@example(seed=3, m=6, used=4, closeness=5.0, is_oblique=True)
def test_the_basis_is_orthonormal_however_close_the_rows(seed, m, used, closeness, is_oblique):
    """In any metric, of rows that the levels above have hardly anything left of, too."""
    rng = np.random.default_rng(seed)
    n = 12
    root = np.linalg.qr(rng.normal(size=(n, n)))[0] * 10.0 ** rng.uniform(-2.0, 2.0, n)
    above = np.linalg.qr(rng.normal(size=(n, max(used, 1))))[0].T[:used]
    M = almost_dependent(rng, m, n, closeness)
    M -= M @ above.T @ above
    metric = None
    if is_oblique:
        back = np.linalg.inv(root)
        M, above, metric = M @ back, above @ back, root @ root.T
    found = Found(M, metric, above)
    B = np.vstack([above, found.basis])
    gram = B @ B.T if metric is None else B @ metric @ B.T
    magnified = 1e-16 * (np.linalg.cond(root) if is_oblique else 1.0)
    np.testing.assert_allclose(gram, np.eye(len(B)), atol=1e4 * magnified)


@given(SEEDS, st.integers(1, 8), st.integers(1, 8), st.booleans())
def test_the_inverse_is_that_of_penrose(seed, rank, others, has_units):
    rng = np.random.default_rng(seed)
    found = Found(rng.normal(size=(rank + others, rank)) @ rng.normal(size=(rank, 12)))
    m, r = rank + others, found.rank
    C = found.C.copy()
    if has_units:
        C *= 10.0 ** rng.uniform(-2.0, 2.0, m)[:, None]
    E = np.full((m, r), np.nan)
    transposed_inverse(C, found.order, r, E, np.full((3, m, m), np.nan))
    scale = np.linalg.cond(C[:, :r]) ** 2
    np.testing.assert_allclose(C[:, :r].T @ E, np.eye(r), atol=1e-12 * scale)
    expected = np.linalg.pinv(C[:, :r]).T
    np.testing.assert_allclose(E, expected, atol=1e-12 * scale * np.abs(expected).max())


@given(SEEDS, st.integers(1, 8), st.integers(0, 8), st.booleans())
def test_what_is_nearest_to_all_rows_is_found_without_the_inverse(seed, rank, others, has_units):
    rng = np.random.default_rng(seed)
    found = Found(rng.normal(size=(rank + others, rank)) @ rng.normal(size=(rank, 12)))
    m, r = rank + others, found.rank
    C, wanted = found.C.copy(), rng.normal(size=m)
    if has_units:
        C *= 10.0 ** rng.uniform(-2.0, 2.0, m)[:, None]
    z = np.full(m, np.nan)
    size = least_squares(C, found.order, r, wanted, z, np.full((3, m, m), np.nan))
    expected = np.linalg.pinv(C[:, :r])
    scale = np.linalg.cond(C[:, :r]) ** 2
    bound = np.linalg.norm(expected) * np.linalg.norm(wanted)
    np.testing.assert_allclose(z[:r], expected @ wanted, atol=1e-12 * scale * bound)
    np.testing.assert_allclose(size, np.sum(expected**2), rtol=1e-12 * scale)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_told(value):
    M = np.eye(3)
    M[1, 2] = value
    assert Found(M).rank == NOT_FINITE


def test_no_rows_have_rank_zero():
    assert Found(np.zeros((0, 3))).rank == 0
    assert Found(np.zeros((2, 3))).rank == 0
