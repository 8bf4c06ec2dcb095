"""Robots on a held base whose joints follow the command joints, against the law."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_prioritised_effort import (
    Problem,
    Projected,
    bolted_problem,
    close,
    random_inertia,
)

from controlit_ros.constraints.projections import compute_drift, compute_projections
from controlit_ros.kernels.followers import project_followers

SEEDS = st.integers(0, 2**32 - 1)


def geared_problem(seed, joints, followers):
    """Return a bolted robot some of whose joints follow one or two others."""
    rng, A, Jc, dofs = bolted_problem(seed, joints, followers, 0)
    Jc[6:] = 0.0
    left = np.setdiff1d(np.arange(6, 6 + joints), dofs)
    for row, dof in zip(Jc[6:], rng.permutation(left), strict=True):
        row[dof] = rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2.0)
        row[rng.choice(dofs, size=min(2, len(dofs)), replace=False)] = rng.uniform(-2.0, 2.0)
    return rng, A, Jc, dofs


def by_followers(A, Jc, dofs):
    """Tell whether the short way is taken."""
    nv, na = len(A), len(dofs)
    scratch = [np.full(shape, np.nan) for shape in ((nv, na), (na, na), (na, na))]
    drift, results = np.zeros(nv), (np.zeros(nv), np.zeros(na), np.zeros((nv, na)))
    found = project_followers(
        A, Jc, np.ones(len(Jc)), 0, dofs, np.zeros(nv), *scratch, drift, *results,
        np.full((4, na, na), np.nan), np.full((7, nv), np.nan),
    )  # fmt: skip
    assert found or not drift.any()
    return found


@given(SEEDS, st.integers(2, 14), st.integers(0, 4), st.booleans())
def test_projections_and_effort_are_those_of_the_law(seed, joints, followers, moves):
    followers = min(followers, joints - 1)
    rng, A, Jc, dofs = geared_problem(seed, joints, followers)
    assert by_followers(A, Jc, dofs)
    Jc_bias = rng.normal(size=len(Jc)) if moves else np.zeros(len(Jc))
    compensation = rng.normal(size=len(A))
    expected = compute_projections(A, Jc, dofs)
    found = Projected(A, Jc, Jc_bias, dofs, compensation)
    assert found.rank == len(Jc)
    E, T = found.effort_map, found.task_map
    close(found.Phi, expected.Phi)
    close(found.Phi @ E @ E.T, np.eye(len(dofs)))
    close(T @ E.T, expected.UNc_bar)
    close(found.motion_map, expected.UNc_bar)
    close(T @ T.T, expected.UNc_bar @ expected.Phi @ expected.UNc_bar.T)
    close(found.bias_effort, expected.UNc_bar.T @ compensation)
    close(found.drift, compute_drift(expected, Jc_bias, compensation, dofs))
    # no farther than without the constraints, and as far as with them
    assert (found.mobility <= expected.mobility * (1.0 + 1e-9)).all()
    motions = T @ rng.normal(size=(T.shape[1], 5))
    assert (np.abs(motions) <= 1e-9 + 9.0 * found.mobility[:, None] * len(A)).all()


@given(SEEDS, st.integers(4, 10), st.integers(1, 3))
def test_the_short_way_ends_where_the_long_one_does(seed, joints, followers):
    """A row of Jc twice leads past the short way."""
    rng, A, Jc, dofs = geared_problem(seed, joints, followers)
    bias, compensation = rng.normal(size=len(Jc)), rng.normal(size=len(A))
    short = Projected(A, Jc, bias, dofs, compensation)
    twice = np.vstack([Jc, Jc[-1:]])
    assert not by_followers(A, twice, dofs)
    long = Projected(A, twice, np.append(bias, bias[-1]), dofs, compensation)
    ends = np.array([2, 2 + len(A) - 6], dtype=np.int64)
    J = np.vstack([rng.normal(size=(2, len(A))), np.eye(len(A))[6:]])
    problem = Problem(
        J, rng.normal(size=len(J)), rng.normal(size=len(J)), np.zeros(len(J), bool), ends, ends
    )
    (effort, ranks), (expected, other_ranks) = problem.solve(short), problem.solve(long)
    np.testing.assert_array_equal(ranks, other_ranks)
    np.testing.assert_allclose(effort, expected, atol=1e-9 * (1.0 + np.abs(expected).max()))


@pytest.mark.parametrize("what", ["two followers in a row", "none", "one twice", "a row too few"])
def test_other_constraints_go_the_general_way(what):
    _, A, Jc, dofs = geared_problem(7, 8, 2)
    left = np.setdiff1d(np.arange(6, 14), dofs)
    if what == "two followers in a row":
        Jc[6, left] = 1.0
    elif what == "none":
        Jc[6, left] = 0.0
    elif what == "one twice":
        Jc[6:, left] = [[1.0, 0.0], [1.0, 0.0]]
    else:
        Jc = Jc[:-1].copy()
    assert not by_followers(A, Jc, dofs)


def test_what_is_no_inertia_goes_the_general_way():
    _, A, Jc, dofs = geared_problem(3, 6, 1)
    assert not by_followers(-A, Jc, dofs)
    A[dofs[0], dofs[0]] = np.nan
    assert not by_followers(A, Jc, dofs)


def test_nearly_massless_joints_go_the_general_way(rng):
    """What is independent there, is not told by a triangle."""
    _, A, Jc, dofs = geared_problem(3, 6, 0)
    A = random_inertia(rng, 12)
    A[7] = A[6]  # two joints that move the same, but for very little
    A[:, 7] = A[:, 6]
    A[7, 7] *= 1.0 + 1e-14
    assert not by_followers(A, Jc, dofs)
