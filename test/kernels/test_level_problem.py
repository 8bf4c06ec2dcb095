"""The problem of one level: without a solver, bounds that exclude nothing, limits that hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.kernels import keep_met, level_problem, lock_rows, lock_suspected, most_beyond
from controlit_ros.solvers import QPStatus
from controlit_ros.solvers.daqp import DAQP

NA, M, N = 8, 12, 5
REGULARISATION = 1e-3


class Level:
    """A level with random rows, of which some coordinates have their value."""

    def __init__(self, rng, first, rank, width):
        self.first, self.rank, left = first, rank, NA - first
        self.motion = rng.normal(size=(N, NA))
        self.motion[:, first + rank :] = 0.0
        self.wanted = rng.normal(size=N)
        self.rows = rng.normal(size=(M, NA))
        self.w = rng.normal(size=NA)
        reached = self.rows @ self.w
        self.lower = reached - width * rng.uniform(size=M)
        self.upper = reached + width * rng.uniform(size=M)
        self.hessian, self.gradient = np.zeros((left, left)), np.zeros(left)
        self.own_rows, self.own = np.zeros((M, left)), np.zeros((2, M))

    def write(self, *, is_begun=True):
        return level_problem(
            self.motion, self.wanted, self.rank, REGULARISATION, self.rows, self.lower, self.upper,
            is_begun, self.w, self.hessian, self.gradient, self.own_rows, self.own[0], self.own[1],
            np.zeros((3, NA, NA)),
        )  # fmt: skip

    def solved(self):
        """Return z by a solver, from the definition of the problem."""
        solver, first = DAQP(), self.first
        solver.prepare(NA - first, M)
        F = self.motion[:, first:]
        left = NA - first
        solver.hessian[:] = F.T @ F + REGULARISATION * np.eye(left)
        solver.gradient[:] = -F.T @ (self.wanted - self.motion[:, :first] @ self.w[:first])
        solver.rows[:] = self.rows[:, first:]
        kept = self.rows[:, :first] @ self.w[:first]
        solver.row_lower[:], solver.row_upper[:] = self.lower - kept, self.upper - kept
        assert solver.solve() is QPStatus.SOLVED
        return solver


@given(SEEDS, st.integers(0, 6), st.sampled_from([0.1, 1.0, 100.0]))
def test_what_is_found_without_a_solver_is_what_solvers_find(seed, first, width):
    level = Level(np.random.default_rng(seed), first, min(2, NA - first), width)
    before, expected = level.w.copy(), level.solved()
    is_found = level.write()
    assert is_found == (not expected.multipliers.any())
    if is_found:
        np.testing.assert_array_equal(level.w[:first], before[:first])
        np.testing.assert_allclose(level.w[first:], expected.solution, atol=1e-9)
    else:
        np.testing.assert_array_equal(level.w, before)
        np.testing.assert_allclose(level.hessian, expected.hessian, atol=1e-12)
        np.testing.assert_allclose(level.gradient, expected.gradient, atol=1e-12)
        np.testing.assert_allclose(level.own, [expected.row_lower, expected.row_upper], atol=1e-12)


@given(SEEDS)
def test_rounding_of_the_level_above_excludes_nothing(seed):
    level = Level(np.random.default_rng(seed), 3, 2, 1.0)
    level.upper[0] = level.lower[0] = level.rows[0] @ level.w - 1e-9
    assert not level.write()
    reached = level.rows[:, 3:] @ level.w[3:]
    assert (level.own[0] <= reached + 1e-15).all()
    assert (level.own[1] >= reached - 1e-15).all()
    level.write(is_begun=False)
    assert level.own[1, 0] < reached[0] - 1e-10


def test_a_row_that_nothing_left_changes_bounds_nothing(rng):
    level = Level(rng, 3, 2, 1.0)
    level.rows[4, 3:] = 1e-13
    level.upper[4] = level.rows[4] @ level.w - 1.0
    assert not level.write()
    assert not level.own_rows[4].any()
    assert level.own[0, 4] == -np.inf
    assert level.own[1, 4] == np.inf


def test_bounds_hold_a_level_that_pull_against_each_other_and_not_those_least_effort_pulls_at():
    rows = np.zeros((4, 3))
    rows[0], rows[1] = (1.0, 1.0, 0.0), (1.0, -1.0, 1e-6)  # they agree on the first coordinate
    rows[2], rows[3] = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    w = np.array([0.0, 0.0, -2.0])
    multipliers = np.array([50.0, 50.0, 2.0 * REGULARISATION, 70.0])
    locked, suspected = np.zeros((2, 4), dtype=bool)
    assert lock_rows(rows, multipliers, REGULARISATION, w, 1, locked, suspected)
    np.testing.assert_array_equal(locked, [True, True, False, False])
    assert not suspected.any()
    assert not lock_rows(rows, np.zeros(4), REGULARISATION, w, 1, locked, suspected)


def test_pulls_between_rows_that_nearly_depend_on_each_other_are_suspected_until_they_are_locked():
    rows = np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 1e-3], [1.0, 0.0, 0.0]])
    w = np.array([0.0, 0.0, -1.0])
    pull = 1e3 * REGULARISATION  # of the first two together as hard as least effort
    multipliers = np.array([pull, pull, pull])
    locked, suspected = np.zeros((2, 3), dtype=bool)
    assert not lock_rows(rows, multipliers, REGULARISATION, w, 1, locked, suspected)
    np.testing.assert_array_equal(suspected, [True, True, False])
    assert not lock_rows(rows, np.zeros(3), REGULARISATION, w, 1, locked, suspected)
    np.testing.assert_array_equal(suspected, [True, True, False])  # of the level above
    assert lock_suspected(rows, 1, suspected, locked)
    np.testing.assert_array_equal(locked, [True, True, False])
    assert not suspected.any()
    assert not lock_suspected(rows, 1, suspected, locked)


@given(SEEDS)
def test_the_most_by_which_a_bound_is_passed(seed):
    rng = np.random.default_rng(seed)
    rows, x = rng.normal(size=(5, 3)), rng.normal(size=3)
    lower, upper = np.sort(rng.normal(size=(2, 5)), axis=0)
    reached = rows @ x
    expected = max(0.0, np.max(reached - upper), np.max(lower - reached))
    assert most_beyond(rows, lower, upper, x) == pytest.approx(expected, abs=1e-12)


def test_multipliers_of_bounds_that_were_left_are_forgotten():
    multipliers = np.array([1.0, 1.0, -1.0, -1.0])
    lower, upper = np.full(4, -2.0), np.full(4, 3.0)
    keep_met(np.array([3.0, 2.9, -2.0, 3.0]), lower, upper, multipliers)
    np.testing.assert_array_equal(multipliers, [1.0, 0.0, -1.0, 0.0])
