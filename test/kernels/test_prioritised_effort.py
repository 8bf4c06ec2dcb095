"""Projection and recursion in factored form against the law as it is written."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from controlit_ros.constraints.projections import compute_drift, compute_projections
from controlit_ros.controllers.recursion import (
    LevelRows,
    compute_effort,
    compute_internal_effort,
)
from controlit_ros.kernels import damped_factor, internal_effort, prioritised_effort, project
from controlit_ros.linear_algebra import damped_inverse, symmetric_pseudo_inverse

SEEDS = st.integers(0, 2**32 - 1)
TOLERANCE = 1e-10  # [-] of the largest entry: rounding times the condition of the matrices below


def random_inertia(rng, nv):
    basis, _ = np.linalg.qr(rng.normal(size=(nv, nv)))
    A = (basis * 10.0 ** rng.uniform(-0.5, 0.5, nv)) @ basis.T
    return (A + A.T) / 2.0


class Projected:
    """The kernel's result on buffers full of rubbish."""

    def __init__(self, A, Jc, Jc_bias, dofs, compensation, *, with_reactions=False):
        nv, nc, na = len(A), len(Jc), len(dofs)
        rubbish = np.nan
        self.task_map = np.full((nv, na), rubbish)
        self.effort_map = np.full((na, na), rubbish)
        self.Phi = np.full((na, na), rubbish)
        self.drift = np.full(nv, rubbish)
        self.bias_effort = np.full(na, rubbish)
        self.rank, width = project(
            A.copy(),
            Jc,
            Jc_bias,
            dofs,
            self.task_map,
            self.effort_map,
            self.Phi,
            self.drift,
            compensation,
            self.bias_effort,
            with_reactions,
            np.full((3, max(nv, nc), nv), rubbish),
            np.full((3, max(nv, nc), max(na, nc)), rubbish),
            np.full((6, nc, nc), rubbish),
            np.full((4, na, na), rubbish),
            np.full((6, max(nc, 6), 6), rubbish),
        )
        self.task_map = self.task_map.reshape(-1)[: nv * width].reshape(nv, width)
        self.effort_map = self.effort_map.reshape(-1)[: na * width].reshape(na, width)


def close(actual, expected):
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(actual / scale, expected / scale, atol=TOLERANCE)


def random_problem(seed, nv, nc, passive, duplicate):
    rng = np.random.default_rng(seed)
    A = random_inertia(rng, nv)
    Jc = rng.normal(size=(nc, nv))
    if duplicate and nc > 1:
        Jc[-1] = 2.0 * Jc[0]
    dofs = np.sort(rng.permutation(nv)[: nv - passive]).astype(np.intp)
    return rng, A, Jc, dofs


@given(SEEDS, st.integers(3, 24), st.integers(0, 8), st.integers(0, 6), st.booleans())
def test_projections_agree(seed, nv, nc, passive, duplicate):
    nc, passive = min(nc, nv - 1), min(passive, nv - 1)
    rng, A, Jc, dofs = random_problem(seed, nv, nc, passive, duplicate)
    Jc_bias, compensation = rng.normal(size=nc), rng.normal(size=nv)
    expected = compute_projections(A, Jc, dofs)
    found = Projected(A, Jc, Jc_bias, dofs, compensation)
    assert found.rank == np.linalg.matrix_rank(Jc) if nc else found.rank == 0
    E, T = found.effort_map, found.task_map
    if np.linalg.cond(expected.Phi) < 1e4 or np.linalg.matrix_rank(expected.Phi, 1e-9) < len(dofs):
        close(T @ E.T, expected.UNc_bar)
        close(found.bias_effort, expected.UNc_bar.T @ compensation)
        close(T.T @ A @ T, np.eye(T.shape[1]))
        close(found.drift, compute_drift(expected, Jc_bias, compensation, dofs))
    close(found.Phi, expected.Phi)


def bolted_problem(seed, joints, others, start):
    """Return a problem whose rows from `start` on hold the base."""
    rng, nv = np.random.default_rng(seed), 6 + joints
    A = random_inertia(rng, nv)
    basis, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    Jc = rng.normal(size=(6 + others, nv))
    Jc[start : start + 6] = 0.0
    Jc[start : start + 6, :6] = basis * rng.uniform(0.5, 2.0, 6)
    dofs = 6 + np.sort(rng.permutation(joints)[: joints - others]).astype(np.intp)
    return rng, A, Jc, dofs


@given(SEEDS, st.integers(2, 16), st.integers(0, 4), st.integers(0, 4))
def test_a_held_base_takes_no_part(seed, joints, others, start):
    others = min(others, joints - 1)
    start = min(start, others)
    rng, A, Jc, dofs = bolted_problem(seed, joints, others, start)
    Jc_bias, compensation = rng.normal(size=len(Jc)), rng.normal(size=len(A))
    expected = compute_projections(A, Jc, dofs)
    assume(np.linalg.cond(Jc) < 50.0 and np.linalg.cond(expected.Phi) < 100.0)
    found = Projected(A, Jc, Jc_bias, dofs, compensation)
    if others == 0:  # nothing else can make the rank doubtful
        np.testing.assert_array_equal(found.task_map[:6], 0.0)
    assert found.rank == len(Jc)
    E, T = found.effort_map, found.task_map
    close(T @ E.T, expected.UNc_bar)
    close(found.Phi, expected.Phi)
    close(found.bias_effort, expected.UNc_bar.T @ compensation)
    close(found.drift, compute_drift(expected, Jc_bias, compensation, dofs))
    whole = Projected(A, Jc, Jc_bias, dofs, compensation, with_reactions=True)
    close(whole.drift, found.drift)
    close(whole.task_map @ whole.effort_map.T, T @ E.T)


@pytest.mark.parametrize("scale", [1.0, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("row", [0, 7])
def test_a_base_held_weakly_counts_as_the_rule_says(rng, scale, row):
    _, A, Jc, dofs = bolted_problem(int(rng.integers(1 << 32)), 10, 2, 0)
    Jc[row] *= scale
    expected = compute_projections(A, Jc, dofs)
    kept = symmetric_pseudo_inverse(Jc @ expected.A_inv @ Jc.T).rank
    found = Projected(A, Jc, np.zeros(8), dofs, np.zeros(16))
    assert found.rank == kept
    close(found.Phi, expected.Phi)


def test_an_indefinite_inertia_is_refused():
    A = np.diag([1.0, -1.0, 1.0])
    dofs = np.arange(3, dtype=np.intp)
    assert Projected(A, np.zeros((0, 3)), np.zeros(0), dofs, np.zeros(3)).rank == -1


def spread(rng, na):
    """Return a symmetric positive definite weighting."""
    return random_inertia(rng, na)


@given(
    seed=SEEDS,
    sizes=st.lists(st.integers(1, 6), max_size=5),
    conflicts=st.integers(0, 3),
    with_forces=st.booleans(),
    reach_lower_levels=st.booleans(),
    damping=st.sampled_from([0.0, 0.01, 0.3]),
    is_weighted=st.booleans(),
)
@example(  # the constraints leave little of one direction
    seed=900661309, sizes=[2, 2, 3, 2, 2], conflicts=0, with_forces=True,
    reach_lower_levels=True, damping=0.3, is_weighted=False,
)  # fmt: skip
@example(  # a row is nearly lost in its level, and has a force
    seed=3699840604, sizes=[4, 4, 1], conflicts=3, with_forces=True,
    reach_lower_levels=False, damping=0.0, is_weighted=False,
)  # fmt: skip
def test_the_recursion_agrees(
    seed, sizes, conflicts, with_forces, reach_lower_levels, damping, is_weighted
):
    nv, nc = 18, 6
    rng, A, Jc, dofs = random_problem(seed, nv, nc, 6, duplicate=False)
    Jc_bias, compensation = rng.normal(size=nc), rng.normal(size=nv)
    rows = sum(sizes)
    J, command, bias = rng.normal(size=(rows, nv)), rng.normal(size=rows), rng.normal(size=rows)
    for _ in range(min(conflicts, rows)):
        J[rng.integers(rows)] = rng.normal() * J[rng.integers(rows)]  # a row asked for twice
    is_force = rng.random(rows) < 0.3 if with_forces else np.zeros(rows, dtype=bool)
    ends = np.cumsum(sizes, dtype=np.int64)
    found = Projected(A, Jc, Jc_bias, dofs, compensation)
    na = len(dofs)
    weighting = spread(rng, na) if is_weighted else None
    E = found.effort_map
    effort = np.full(na, np.nan)
    prioritised_effort(
        J,
        command,
        bias,
        found.drift,
        is_force,
        ends,
        reach_lower_levels,
        damping,
        np.zeros((0, 0)) if weighting is None else E.T @ weighting @ E,
        found.task_map,
        found.effort_map,
        found.bias_effort,
        effort,
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows),
        np.full((4, max(rows, 1), na), np.nan),
        np.full((7, rows, rows), np.nan),
        np.full((2, na, na), np.nan),
        np.full(rows, np.nan),
    )
    exact = compute_projections(A, Jc, dofs)
    acceleration = command - bias + J @ compute_drift(exact, Jc_bias, compensation, dofs)
    starts = [0, *ends[:-1]]
    levels = [
        LevelRows(J[a:b], acceleration[a:b], command[a:b], is_force[a:b])
        for a, b in zip(starts, ends, strict=False)
    ]
    expected = compute_effort(
        levels,
        exact.UNc_bar,
        exact.Phi,
        reach_lower_levels=reach_lower_levels,
        damping=damping,
        weighting=weighting,
    )
    expected += exact.UNc_bar.T @ compensation
    # an ill-conditioned level magnifies rounding in both
    assert np.isfinite(effort).all()
    scale = max(1.0, np.abs(expected).max())
    limit = magnification(levels, exact, weighting) * 1e-13
    if is_force.any() or damping:  # these act along what a level takes for lost, too
        limit += neglected(levels, exact, weighting)
    assert np.abs(effort - expected).max() / scale < limit


@given(SEEDS, st.integers(0, 4), st.integers(6, 9))
@example(seed=7, rows=1, nc=6)  # one direction is all but lost, and counts as lost
def test_internal_efforts_agree(seed, rows, nc):
    rng, A, Jc, dofs = random_problem(seed, 18, nc, 6, duplicate=False)
    found = Projected(A, Jc, np.zeros(nc), dofs, np.zeros(18))
    J, force = rng.normal(size=(rows, 18)), rng.normal(size=rows)
    effort = np.ones(len(dofs))
    internal_effort(J, force, dofs, found.effort_map, found.Phi, effort, np.full((3, 12), np.nan))
    exact = compute_projections(A, Jc, dofs)
    expected = compute_internal_effort(J, force, exact.Phi, dofs)
    close(effort - 1.0, expected)
    # what the pseudo-inverse takes for zero, the joints feel as little as that
    values = np.linalg.eigvalsh(exact.Phi)
    neglected = values[values < 1e-6 * len(dofs) * values.max()].max(initial=0.0)
    limit = 1e-9 + neglected * np.linalg.norm(effort - 1.0)
    np.testing.assert_allclose(exact.Phi @ (effort - 1.0), 0.0, atol=limit)


@given(SEEDS, st.integers(1, 6), st.sampled_from([1e-4, 0.05, 1.0]))
def test_damped_inverses_agree(seed, n, threshold):
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.normal(size=(n, n)))
    values = 10.0 ** rng.uniform(-5, 2, n) * (rng.random(n) > 0.2)
    matrix = (basis * values) @ basis.T
    matrix = (matrix + matrix.T) / 2.0
    F = np.full((n, n), np.nan)
    damped_factor(matrix, threshold, F)
    inverse = damped_inverse(matrix, threshold)
    largest = max(values)
    if largest > 1e-4:
        limit = 1.21 / (threshold * largest)
        np.testing.assert_allclose(F @ F.T, inverse, atol=1e-7 * limit)
        assert np.linalg.norm(inverse, 2) <= limit
        if min(values) >= threshold * largest:
            np.testing.assert_allclose(
                inverse, symmetric_pseudo_inverse(matrix).inverse, rtol=1e-6, atol=1e-9 * limit
            )


def test_damping_begins_smoothly():
    threshold, step = 0.1, 1e-5
    values = np.arange(step, 0.2, step)
    inverse = [damped_inverse(np.diag([1.0, value]), threshold)[1, 1] for value in values]
    assert np.abs(np.diff(inverse)).max() < 3.0 * step / threshold**2


def projected(levels, exact, weighting):
    """Yield `J* Φ J*ᵀ` and `J* W J*ᵀ` of each level."""
    N = np.eye(len(exact.Phi))
    W = exact.Phi if weighting is None else weighting
    for level in levels:
        J = level.jacobian @ exact.UNc_bar @ N
        weighted = J @ W @ J.T
        yield J @ exact.Phi @ J.T, weighted
        inverse = np.linalg.pinv(weighted, rcond=1e-6 * len(J), hermitian=True)
        N = N - W @ J.T @ inverse @ J @ N


def spectrum(M):
    """Return the eigenvalues that count and those that the pseudo-inverse takes for zero."""
    values = np.linalg.eigvalsh(M)
    counts = (values > 1e-6 * len(M) * values.max()) & (values.max() > 1e-6)
    return values[counts], values[~counts]


def magnification(levels, exact, weighting=None):
    """Return how much the worst level magnifies rounding: its condition number squared, roughly."""
    kept, _ = spectrum(exact.Phi)
    worst = max(1e3, kept.max() / kept.min())
    for M, weighted in projected(levels, exact, weighting):
        kept, _ = spectrum(M)
        if len(kept):
            worst = max(worst, (kept.max() / kept.min()) ** 2, 1e2 / kept.min() ** 2)
        kept, _ = spectrum(weighted)
        if len(kept):
            worst = max(worst, (kept.max() / kept.min()) ** 2)
    return worst


def neglected(levels, exact, weighting=None):
    """Return the largest motion that a level takes for lost, of the smallest that counts."""
    worst = 0.0
    for _, weighted in projected(levels, exact, weighting):
        kept, lost = spectrum(weighted)
        doubtful = lost[lost > 1e-12 * weighted.max()]  # smaller is rounding
        if len(kept) and len(doubtful):
            worst = max(worst, np.sqrt(doubtful.max() / kept.min()))
    return worst


@given(SEEDS)
def test_lower_levels_reach_their_acceleration_on_request(seed):
    rng, A, Jc, dofs = random_problem(seed, 18, 3, 3, duplicate=False)
    exact = compute_projections(A, Jc, dofs)
    levels = [
        LevelRows(
            rng.normal(size=(n, 18)), rng.normal(size=n), np.zeros(n), np.zeros(n, dtype=bool)
        )
        for n in (3, 2, 4)
    ]
    effort = compute_effort(levels, exact.UNc_bar, exact.Phi, reach_lower_levels=True)
    published = compute_effort(levels, exact.UNc_bar, exact.Phi)
    to_acceleration = exact.UNc_bar @ exact.Phi
    top, *lower = levels
    np.testing.assert_allclose(
        top.jacobian @ to_acceleration @ published, top.acceleration, atol=1e-8
    )
    for level in levels:
        np.testing.assert_allclose(
            level.jacobian @ to_acceleration @ effort, level.acceleration, atol=1e-8
        )
    missed = [
        np.abs(one.jacobian @ to_acceleration @ published - one.acceleration).max() for one in lower
    ]
    assert max(missed) > 1e-3
