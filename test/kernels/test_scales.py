"""Neither units nor sizes nor inertia decide what counts: the kernels over orders of magnitude."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_prioritised_effort import Problem, Projected, bolted_problem, random_inertia

SEEDS = st.integers(0, 2**32 - 1)


def random_levels(rng, nv, sizes, repeated):
    """Return tasks of three rows at most, some asked for twice."""
    rows = sum(sizes)
    J = rng.normal(size=(rows, nv))
    for _ in range(repeated if rows else 0):
        J[rng.integers(rows)] = J[rng.integers(rows)]
    ends = np.cumsum(sizes, dtype=np.int64)
    return Problem(J, rng.normal(size=rows), np.zeros(rows), np.zeros(rows, bool), ends, ends)


@given(
    SEEDS,
    st.integers(4, 12),
    st.integers(0, 2),
    st.lists(st.integers(1, 3), min_size=1, max_size=5),
    st.integers(0, 2),
    st.booleans(),
)
def test_units_of_joints_and_tasks_change_nothing(seed, joints, others, sizes, repeated, damped):
    """Inertia from 1e-7 to 1e2 is what units of joints come to, too.

    What counts near a singularity is how far the joints move a task, so that joints keep their
    units there.
    """
    rng, A, Jc, dofs = bolted_problem(seed, joints, others, 0)
    assume(np.linalg.cond(Jc) < 100.0)
    Jc_bias, compensation = rng.normal(size=len(Jc)), rng.normal(size=len(A))
    problem = random_levels(rng, len(A), sizes, repeated)
    plain = Projected(A, Jc, Jc_bias, dofs, compensation)
    v = rng.normal(size=len(A))
    expected, ranks = problem.solve(plain, singularity=(0.2, A, v) if damped else None)
    joint = np.ones(len(A)) if damped else 10.0 ** rng.uniform(-3.5, 1.0, len(A))
    row = 10.0 ** rng.uniform(-6.0, 6.0, len(Jc))
    task = np.repeat(10.0 ** rng.uniform(-6.0, 6.0, len(sizes)), sizes)
    scaled = Projected(
        A * np.outer(joint, joint), row[:, None] * Jc * joint, row * Jc_bias, dofs,
        compensation * joint,
    )  # fmt: skip
    other = problem._replace(
        jacobian=task[:, None] * problem.jacobian * joint, command=task * problem.command
    )
    effort, scaled_ranks = other.solve(scaled, singularity=(0.2, A, v) if damped else None)
    assert scaled.rank == plain.rank == len(Jc)
    np.testing.assert_array_equal(scaled_ranks, ranks)
    unit = joint[dofs]
    size = 1.0 + np.abs(expected).max()
    np.testing.assert_allclose(effort / unit, expected, atol=1e-6 * size)
    np.testing.assert_allclose(scaled.bias_effort / unit, plain.bias_effort, atol=1e-8 * size)
    np.testing.assert_allclose(scaled.drift * joint, plain.drift, atol=1e-7 * size)


@given(SEEDS, st.integers(2, 8), st.floats(-9.0, 0.0))
def test_a_light_link_between_heavy_ones_takes_nothing_from_them(seed, joints, log_light):
    """Coaxial joints with hardly anything between them, all at one priority."""
    rng = np.random.default_rng(seed)
    own = 10.0 ** rng.uniform(-1.0, 2.0, joints)
    own[rng.integers(joints - 1)] = 100.0 * 10.0**log_light
    inertia = np.cumsum(own[::-1])[::-1]  # that of a joint and all that it carries
    A = np.zeros((6 + joints, 6 + joints))
    A[:6, :6] = 1e3 * np.eye(6)
    A[6:, 6:] = np.minimum.outer(inertia, inertia)
    Jc = np.hstack([np.eye(6), np.zeros((6, joints))])
    dofs = np.arange(6, 6 + joints, dtype=np.intp)
    gravity = np.concatenate([np.zeros(6), rng.normal(size=joints) * inertia])
    found = Projected(A, Jc, np.zeros(6), dofs, gravity)
    np.testing.assert_allclose(found.bias_effort, gravity[6:], rtol=1e-7, atol=1e-9)
    wanted = rng.normal(size=joints)
    ends = np.array([joints], dtype=np.int64)
    problem = Problem(
        np.eye(6 + joints)[6:], wanted, np.zeros(joints), np.zeros(joints, bool), ends, ends
    )
    effort, ranks = problem.solve(found)
    assert ranks[0] == joints
    expected = A[6:, 6:] @ wanted + gravity[6:]
    np.testing.assert_allclose(effort, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("base", [1e-7, 1.0, 1e6])
@pytest.mark.parametrize("rows", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("others", [0, 2])
def test_a_held_base_is_held_whatever_it_weighs(rng, base, rows, others):
    _, A, Jc, dofs = bolted_problem(int(rng.integers(1 << 32)), 8, others, 0)
    joints_only = np.linalg.inv(A[6:, 6:])
    # a base of any inertia on which the same joints stand
    A[:6, :6] = A[:6, 6:] @ joints_only @ A[6:, :6] + base * random_inertia(rng, 6)
    Jc[:6] *= rows
    bias = rng.normal(size=len(Jc))
    bias[:6] *= rows
    found = Projected(A, Jc, bias, dofs, np.zeros(len(A)))
    assert found.rank == 6 + others
    np.testing.assert_array_equal(found.task_map[:6], 0.0)
    left = np.eye(8)
    if others:
        C = Jc[6:, 6:]
        left -= joints_only @ C.T @ np.linalg.inv(C @ joints_only @ C.T) @ C
    expected = (left @ joints_only)[np.ix_(dofs - 6, dofs - 6)]
    np.testing.assert_allclose(found.Phi, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(Jc @ found.drift, bias, rtol=1e-7, atol=1e-9)


def test_a_task_that_hardly_moves_is_given_up_along_any_axes(rng):
    """A stretched arm: what is lost does not depend on how the task's axes are turned."""
    A = np.eye(9)
    Jc = np.hstack([np.eye(6), np.zeros((6, 3))])
    dofs = np.arange(6, 9, dtype=np.intp)
    found = Projected(A, Jc, np.zeros(6), dofs, np.zeros(9))
    ends = np.array([3], dtype=np.int64)
    for length in (1e-3, 1.0, 10.0):  # [m]
        for stretched, rank in ((0.5e-3, 2), (2e-3, 3)):
            turned = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            for axes in (np.eye(3), turned):
                J = np.zeros((3, 9))
                J[:, 6:] = length * axes @ np.diag([1.0, 0.7, stretched])
                problem = Problem(J, np.ones(3), np.zeros(3), np.zeros(3, bool), ends, ends)
                assert problem.solve(found)[1][0] == rank


@pytest.mark.parametrize("place", ["jacobian", "command", "bias"])
def test_what_is_not_finite_in_a_task_makes_the_effort_no_number(rng, place):
    _, A, Jc, dofs = bolted_problem(1, 6, 0, 0)
    found = Projected(A, Jc, np.zeros(6), dofs, np.zeros(12))
    problem = random_levels(rng, 12, [2, 2], 0)
    getattr(problem, place)[-1] = np.nan
    assert np.isnan(problem.solve(found)[0]).any()
