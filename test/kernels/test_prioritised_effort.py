"""Projection and recursion in factored form against the law as it is written."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.constraints.projections import compute_projections
from controlit_ros.controllers.recursion import LevelRows, compute_effort
from controlit_ros.kernels import prioritised_effort, project

SEEDS = st.integers(0, 2**32 - 1)
TOLERANCE = 1e-10  # [-] of the largest entry: rounding times the condition of the matrices below


def random_inertia(rng, nv):
    basis, _ = np.linalg.qr(rng.normal(size=(nv, nv)))
    A = (basis * 10.0 ** rng.uniform(-0.5, 0.5, nv)) @ basis.T
    return (A + A.T) / 2.0


class Projected:
    """The kernel's result on buffers full of rubbish."""

    def __init__(self, A, Jc, Jc_bias, dofs, compensation):
        nv, nc, na = len(A), len(Jc), len(dofs)
        rubbish = np.nan
        self.task_map = np.full((nv, na), rubbish)
        self.effort_map = np.full((na, na), rubbish)
        self.drift = np.full(nv, rubbish)
        self.bias_effort = np.full(na, rubbish)
        self.rank, width = project(
            A.copy(),
            Jc,
            Jc_bias,
            dofs,
            self.task_map,
            self.effort_map,
            self.drift,
            compensation,
            self.bias_effort,
            np.full((2, max(nv, nc), nv), rubbish),
            np.full((3, max(nv, nc), max(na, nc)), rubbish),
            np.full((6, nc, nc), rubbish),
            np.full((5, na, na), rubbish),
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
    close(found.drift, expected.Jc_bar @ Jc_bias)


def test_an_indefinite_inertia_is_refused():
    A = np.diag([1.0, -1.0, 1.0])
    dofs = np.arange(3, dtype=np.intp)
    assert Projected(A, np.zeros((0, 3)), np.zeros(0), dofs, np.zeros(3)).rank == -1


@given(
    SEEDS,
    st.lists(st.integers(1, 6), max_size=5),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)
def test_the_recursion_agrees(seed, sizes, conflicts, with_forces, reach_lower_levels):
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
    effort = np.full(na, np.nan)
    prioritised_effort(
        J,
        command,
        bias,
        found.drift,
        is_force,
        ends,
        reach_lower_levels,
        found.task_map,
        found.effort_map,
        found.bias_effort,
        effort,
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows),
        np.full((3, max(rows, 1), na), np.nan),
        np.full((6, rows, rows), np.nan),
        np.full((na, na), np.nan),
        np.full(rows, np.nan),
    )
    exact = compute_projections(A, Jc, dofs)
    acceleration = command - bias + J @ (exact.Jc_bar @ Jc_bias)
    starts = [0, *ends[:-1]]
    levels = [
        LevelRows(J[a:b], acceleration[a:b], command[a:b], is_force[a:b])
        for a, b in zip(starts, ends, strict=False)
    ]
    expected = compute_effort(
        levels, exact.UNc_bar, exact.Phi, reach_lower_levels=reach_lower_levels
    )
    expected += exact.UNc_bar.T @ compensation
    # an ill-conditioned level magnifies rounding in both
    assert np.isfinite(effort).all()
    scale = max(1.0, np.abs(expected).max())
    assert np.abs(effort - expected).max() / scale < magnification(levels, exact) * 1e-13


def magnification(levels, exact):
    """Return how much the worst level magnifies rounding: its condition number squared, roughly."""
    worst = 1e3
    N = np.eye(len(exact.Phi))
    for level in levels:
        J = level.jacobian @ exact.UNc_bar @ N
        M = J @ exact.Phi @ J.T
        values = np.linalg.eigvalsh(M)
        kept = values[values > 1e-6 * len(M) * max(values.max(), 1e-300)]
        if len(kept) and values.max() > 1e-6:
            worst = max(worst, (kept.max() / kept.min()) ** 2, 1e2 / kept.min() ** 2)
        inverse = np.linalg.pinv(M, rcond=1e-6 * len(M), hermitian=True)
        N = N - exact.Phi @ J.T @ inverse @ J @ N
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
