"""Projection and recursion in factored form against the law as it is written."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from controlit_ros.constraints.projections import compute_drift, compute_projections
from controlit_ros.controllers.recursion import (
    LevelRows,
    Singularity,
    compute_effort,
    compute_internal_effort,
    tasks_of,
)
from controlit_ros.kernels import (
    INDEFINITE,
    internal_effort,
    prioritised_effort,
    project,
)

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
        self.mobility = np.full(nv, rubbish)
        self.motion_map = np.full((nv, na), rubbish)
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
            self.mobility,
            compensation,
            self.bias_effort,
            self.motion_map,
            with_reactions,
            np.full((nv, nv), rubbish),
            np.full((2, max(nv, nc), nv), rubbish),
            np.full((3, max(na, nc), nv), rubbish),
            np.full((5, nc, nc), rubbish),
            np.full((4, na, na), rubbish),
            np.full((8, 6, 6), rubbish),
            np.full((7, max(nv, nc, na)), rubbish),
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
        close(found.motion_map, expected.UNc_bar)
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
    close(found.motion_map, expected.UNc_bar)
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
    found = Projected(A, Jc, np.zeros(8), dofs, np.zeros(16))
    assert found.rank == 8
    close(found.Phi, expected.Phi)


def test_an_indefinite_inertia_is_refused():
    A = np.diag([1.0, -1.0, 1.0])
    dofs = np.arange(3, dtype=np.intp)
    assert Projected(A, np.zeros((0, 3)), np.zeros(0), dofs, np.zeros(3)).rank == INDEFINITE


class Problem(NamedTuple):
    """Rows of all levels, and where tasks and levels end."""

    jacobian: np.ndarray
    command: np.ndarray
    bias: np.ndarray
    is_force: np.ndarray
    task_ends: np.ndarray
    level_ends: np.ndarray
    weight: np.ndarray | None = None

    @property
    def weights(self):
        return np.ones(len(self.command)) if self.weight is None else self.weight

    def solve(
        self, found, *, reach_lower_levels=False, singularity=None, weighting=None, with_drift=True
    ):
        """Return what the kernel makes of it, and the rank of each level."""
        (rows, nv), na = self.jacobian.shape, len(found.effort_map)
        size, inertia, velocity = singularity or (0.0, np.zeros((nv, nv)), np.zeros(nv))
        E = found.effort_map
        effort, rank = np.full(na, np.nan), np.zeros(rows, dtype=np.int64)
        prioritised_effort(
            self.jacobian,
            self.command,
            self.bias,
            found.drift if with_drift else np.zeros(len(found.drift)),
            self.is_force,
            self.weights,
            self.task_ends,
            self.level_ends,
            0,
            reach_lower_levels,
            size,
            np.zeros((0, 0)) if weighting is None else E.T @ weighting @ E,
            found.mobility,
            found.task_map,
            found.effort_map,
            found.motion_map,
            inertia,
            velocity,
            np.zeros(nv),
            found.bias_effort,
            effort,
            rank,
            np.zeros(rows),
            np.zeros(rows),
            np.full((3, max(rows, 1), na), np.nan),
            np.full((5, rows, rows), np.nan),
            np.full((4, na, na), np.nan),
            np.full((rows + 2, nv), np.nan),
            np.full((14, max(rows, na)), np.nan),
            np.full(self.jacobian.shape[1], -7),
        )
        return effort, rank

    def levels(self, drift):
        """Return the levels of the specification."""
        commanded = np.where(self.is_force, 0.0, self.command)
        acceleration = commanded - self.bias + self.jacobian @ drift
        starts = [0, *self.level_ends[:-1].tolist()]
        return [
            LevelRows(
                self.jacobian[a:b],
                acceleration[a:b],
                bool(self.is_force[a:b].any()),
                tasks_of(self.task_ends, slice(a, b)),
                self.weights[a:b],
            )
            for a, b in zip(starts, self.level_ends.tolist(), strict=False)
        ]


def spread(rng, na):
    """Return a symmetric positive definite weighting."""
    return random_inertia(rng, na)


@given(
    seed=SEEDS,
    sizes=st.lists(st.integers(1, 6), max_size=5),
    conflicts=st.integers(0, 3),
    with_forces=st.booleans(),
    reach_lower_levels=st.booleans(),
    size=st.sampled_from([0.0, 0.1, 0.5]),
    is_weighted=st.booleans(),
)
@example(  # the constraints leave little of one direction
    seed=900661309, sizes=[2, 2, 3, 2, 2], conflicts=0, with_forces=True,
    reach_lower_levels=True, size=0.5, is_weighted=False,
)  # fmt: skip
@example(  # a row is nearly lost in its level, and has a force
    seed=3699840604, sizes=[4, 4, 1], conflicts=3, with_forces=True,
    reach_lower_levels=False, size=0.0, is_weighted=False,
)  # fmt: skip
def test_the_recursion_agrees(
    seed, sizes, conflicts, with_forces, reach_lower_levels, size, is_weighted
):
    nv, nc = 18, 6
    rng, A, Jc, dofs = random_problem(seed, nv, nc, 6, duplicate=False)
    Jc_bias, compensation = rng.normal(size=nc), rng.normal(size=nv)
    rows = sum(sizes)
    J, command, bias = rng.normal(size=(rows, nv)), rng.normal(size=rows), rng.normal(size=rows)
    for _ in range(min(conflicts, rows)):
        J[rng.integers(rows)] = rng.normal() * J[rng.integers(rows)]  # a row asked for twice
    pushes = rng.random(len(sizes)) < 0.3 if with_forces else np.zeros(len(sizes), dtype=bool)
    is_force = np.repeat(pushes, sizes).astype(bool)
    ends = np.cumsum(sizes, dtype=np.int64)
    task_ends = np.unique(np.concatenate([ends, np.flatnonzero(rng.random(rows) < 0.4)]))
    task_ends = task_ends[task_ends > 0].astype(np.int64)
    found = Projected(A, Jc, Jc_bias, dofs, compensation)
    na = len(dofs)
    weighting = spread(rng, na) if is_weighted else None
    weight = 10.0 ** rng.uniform(-1.0, 1.0, rows)
    problem = Problem(J, command, bias, is_force, task_ends, ends, weight)
    settings = {
        "reach_lower_levels": reach_lower_levels,
        "singularity": Singularity(size, A, rng.normal(size=nv)) if size else None,
        "weighting": weighting,
    }
    effort, _ = problem.solve(found, **settings)
    exact = compute_projections(A, Jc, dofs)
    levels = problem.levels(compute_drift(exact, Jc_bias, compensation, dofs))
    expected = compute_effort(levels, exact, **settings)
    expected += exact.UNc_bar.T @ compensation
    # an ill-conditioned level magnifies rounding in both
    assert np.isfinite(effort).all()
    scale = max(1.0, np.abs(expected).max())
    limit = magnification(levels, exact, weighting) * 1e-13
    limit *= (weight.max() / weight.min()) ** 2 if rows else 1.0
    if size:  # it acts along what a level takes for lost, too
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
    expected = compute_internal_effort(J, force, exact, dofs)
    # both lose as many digits as the least of the motions that count is smaller than the largest
    values = np.linalg.eigvalsh(exact.Phi_root.T @ exact.Phi_root)
    limit = 1e-13 * values.max() / values.min() * (1.0 + np.linalg.norm(force))
    np.testing.assert_allclose(effort - 1.0, expected, atol=limit)
    np.testing.assert_allclose(exact.Phi @ (effort - 1.0), 0.0, atol=limit)


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
    assume(np.linalg.cond(exact.Phi) < 1e6)  # rounding of the oracle grows with it
    levels = [
        LevelRows(
            rng.normal(size=(n, 18)),
            rng.normal(size=n),
            False,
            (slice(0, n),),
        )
        for n in (3, 2, 4)
    ]
    effort = compute_effort(levels, exact, reach_lower_levels=True)
    published = compute_effort(levels, exact)
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
