"""What is asked of no solver: problems that no bound holds back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.controllers.weighted import Weighted
from controlit_ros.kernels import bind
from controlit_ros.solvers import QPStatus, qp_solver
from controlit_ros.solvers.daqp import DAQP


def posed(seed, n, m, room):
    """Return a solver with a random problem, whose bounds leave so much room about zero."""
    rng = np.random.default_rng(seed)
    solver = DAQP()
    solver.prepare(n, m)
    root = rng.normal(size=(n, n))
    solver.hessian[:] = root @ root.T + np.eye(n)
    solver.gradient[:] = rng.normal(size=n)
    solver.rows[:] = rng.normal(size=(m, n))
    solver.bounds_upper[:] = room * rng.uniform(0.5, 1.0, n + m)
    solver.bounds_lower[:] = -solver.bounds_upper
    return solver


@given(
    seed=SEEDS, n=st.integers(1, 20), m=st.integers(0, 20), room=st.sampled_from([0.01, 0.5, 99.0])
)
def test_it_is_the_optimum_of_the_solver_or_none(seed, n, m, room):
    solver = posed(seed, n, m, room)
    free = -np.linalg.solve(solver.hessian, solver.gradient)
    reached = np.concatenate((free, solver.rows @ free))
    if not solver.solve_free():
        assert (np.abs(reached) > solver.bounds_upper - 1e-9).any()
        return
    found = solver.solution.copy()
    assert not solver.multipliers.any()
    assert solver.solve() is QPStatus.SOLVED
    np.testing.assert_allclose(found, solver.solution, atol=1e-7)
    np.testing.assert_allclose(found, free, atol=1e-9 * (1.0 + np.abs(free).max()))


@pytest.mark.parametrize("what", ["hessian", "gradient", "rows", "bounds_upper"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_is_left_to_those_who_tell(what, value):
    solver = posed(0, 4, 3, 99.0)
    getattr(solver, what).reshape(-1)[0] = value
    is_free = solver.solve_free()
    assert not is_free or (what == "bounds_upper" and value == np.inf)
    assert (solver.solve() is QPStatus.NOT_FINITE) != is_free


def test_bounds_that_cross_and_a_cost_that_is_singular_are_left_to_the_solver():
    crossed = posed(0, 4, 3, 99.0)
    crossed.bounds_lower[2] = crossed.bounds_upper[2] + 1.0
    assert not crossed.solve_free()
    assert crossed.solve() is QPStatus.INFEASIBLE
    singular = posed(0, 4, 3, 99.0)
    singular.hessian[:] = np.ones((4, 4)) + 1e-14 * np.eye(4)
    assert not singular.solve_free()


class Counting(DAQP):
    """Counts how often it is asked."""

    asked = 0

    def _solve(self):
        self.asked += 1
        return super()._solve()


def test_the_solver_is_asked_again_as_soon_as_a_bound_holds_back_and_until_none_does():
    """The same optimum either way, wherever the bound is."""
    levels, n = Weighted(), 3
    solver = Counting()
    solver.prepare(n, 0)
    levels.effort = np.zeros(n)
    levels._solver, levels._yielding, levels._was_free = solver, None, True
    solver.gradient[:] = [-1.0, -2.0, -3.0]
    for bound, asked in ((9.0, 0), (2.5, 1), (2.0, 2), (9.0, 3), (9.0, 3), (2.9, 4)):
        solver.upper[:], solver.lower[:] = bound, -bound
        assert levels.solve() is QPStatus.SOLVED
        np.testing.assert_allclose(levels.effort, np.minimum([1.0, 2.0, 3.0], bound), atol=1e-8)
        assert solver.asked == asked


def test_nothing_is_compiled_once_it_is_prepared(monkeypatch):
    """A kernel is compiled, or loaded, at its first call: each has one before the servo runs."""
    called = set()

    def noting(kernel, *arguments):
        bound = bind(kernel, *arguments)

        def call(*given):
            called.add(kernel.__name__)
            return bound(*given)

        return call

    monkeypatch.setattr(qp_solver, "bind", noting)
    DAQP().prepare(3, 2)
    assert called == {"free_optimum", "scale_program", "scale_back"}
