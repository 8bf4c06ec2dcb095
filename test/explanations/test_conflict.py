"""Sets of limits that exclude each other, against another solver."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.controllers.named_bound import BoundKind, NamedBound
from controlit_ros.explanations.conflict import HalfSpaces, excluding
from controlit_ros.solvers import QPStatus
from controlit_ros.solvers.daqp import DAQP


def named(i):
    return NamedBound((BoundKind.EFFORT, BoundKind.VELOCITY)[i % 2], f"joint_{i}", "SI")


def is_feasible(limits):
    """Ask a solver of quadratic programs."""
    solver = DAQP()
    A = np.vstack([spaces.A for spaces in limits.values()])
    b = np.concatenate([spaces.b for spaces in limits.values()])
    solver.prepare(A.shape[1], len(b))
    solver.rows[:], solver.row_upper[:] = A, b
    status = solver.solve()
    assert status in (QPStatus.SOLVED, QPStatus.INFEASIBLE)
    return status is QPStatus.SOLVED


@given(SEEDS, st.integers(2, 4), st.integers(3, 14))
def test_none_can_be_left_out_and_each_tells_what_is_missing(seed, n, count):
    rng = np.random.default_rng(seed)
    limits = {
        named(i): HalfSpaces(rng.normal(size=(k, n)), rng.normal(size=k))
        for i, k in enumerate(rng.integers(1, 3, size=count).tolist())
    }
    found = excluding(limits)
    assert bool(found) != is_feasible(limits)
    members = {bound: limits[bound] for bound, _ in found}
    for bound, missing in found:
        others = {name: spaces for name, spaces in members.items() if name != bound}
        assert not others or is_feasible(others)
        A, b = members[bound]
        slack = 1e-4 * (1.0 + missing)
        assert is_feasible({**members, bound: HalfSpaces(A, b + missing + slack)})
        if missing > slack:
            assert not is_feasible({**members, bound: HalfSpaces(A, b + missing - slack)})


def test_a_window_that_is_closed():
    limits = {
        named(0): HalfSpaces(np.array([[1.0, 0.0]]), np.array([1.0])),
        named(1): HalfSpaces(np.array([[-1.0, 0.0]]), np.array([-3.0])),
        named(2): HalfSpaces(np.array([[0.0, 1.0]]), np.array([0.0])),
    }
    found = excluding(limits)
    assert {bound.owner for bound, _ in found} == {"joint_0", "joint_1"}
    assert [missing for _, missing in found] == [pytest.approx(2.0)] * 2
