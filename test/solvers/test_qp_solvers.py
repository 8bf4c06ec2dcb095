"""Every solver of quadratic programs does what the contract says, at any scale."""

import sys
from importlib.metadata import entry_points

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qp_libraries import LIBRARIES, skip_without
from robots_for_tests import REPOSITORY, SEEDS
from scipy.sparse import csc_matrix

from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes.building import load_stack
from controlit_ros.solvers import QPError, QPStatus

QP_CONFIGURATION = REPOSITORY / "config" / "dreamer" / "hands_qp.yaml"
GROUP = entry_points(group="controlit.qp_solvers")
EXACT = 1e-8
"""By which a condition of the optimum may be missed, in parts of what stands in it."""


@pytest.fixture(scope="module", params=sorted(GROUP.names))
def make(request):
    """Return what makes a solver of each kind, prepared."""
    skip_without(request.param)
    kind = GROUP[request.param].load()

    def prepared(variables, rows):
        solver = kind()
        solver.prepare(variables, rows)
        return solver

    return prepared


def draw(solver, rng, span=0.0, width=1.0):
    """Write a problem that has a solution; eigenvalues of H over `span` powers of ten."""
    n, m = len(solver.gradient), len(solver.rows)
    basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
    H = (basis * 10.0 ** rng.uniform(-span, 0.0, n)) @ basis.T
    solver.hessian[:] = (H + H.T) / 2.0
    solver.gradient[:] = -solver.hessian @ rng.normal(size=n)
    solver.rows[:] = rng.normal(size=(m, n))
    inside = rng.normal(size=n)
    middle = np.concatenate((inside, solver.rows @ inside))
    solver.bounds_lower[:] = middle - width * rng.uniform(0.0, 1.0, n + m)
    solver.bounds_upper[:] = middle + width * rng.uniform(0.0, 1.0, n + m)
    for bounds, none in ((solver.bounds_lower, -np.inf), (solver.bounds_upper, np.inf)):
        bounds[rng.uniform(size=n + m) < 0.3] = none


def assert_optimal(solver):
    """Whatever the solver says, the conditions of an optimum hold (Karush, Kuhn and Tucker)."""
    n, x, multipliers = len(solver.gradient), solver.solution, solver.multipliers
    reached = np.concatenate((x, solver.rows @ x))
    size = 1.0 + np.abs(reached).max()
    assert (reached >= solver.bounds_lower - EXACT * size).all()
    assert (reached <= solver.bounds_upper + EXACT * size).all()
    pull = solver.hessian @ x + solver.gradient + multipliers[:n] + solver.rows.T @ multipliers[n:]
    np.testing.assert_allclose(pull, 0.0, atol=EXACT * (1.0 + np.abs(solver.gradient).max()))
    for sign, bounds in ((1.0, solver.bounds_upper), (-1.0, solver.bounds_lower)):
        held = sign * multipliers > EXACT
        np.testing.assert_allclose(reached[held], bounds[held], atol=100.0 * EXACT * size)


@given(seed=SEEDS, n=st.integers(1, 24), m=st.integers(0, 24), span=st.floats(0.0, 10.0))
def test_what_it_calls_solved_is_the_optimum(make, seed, n, m, span):
    solver, rng = make(n, m), np.random.default_rng(seed)
    for _ in range(3):  # the second and third begin where the one before ended
        draw(solver, rng, span)
        assert solver.solve() is QPStatus.SOLVED
        assert_optimal(solver)


@given(seed=SEEDS, n=st.integers(2, 16), m=st.integers(1, 16))
def test_agrees_with_an_interior_point_solver(make, seed, n, m):
    clarabel = pytest.importorskip("clarabel")
    solver = make(n, m)
    draw(solver, np.random.default_rng(seed))
    assert solver.solve() is QPStatus.SOLVED
    everything = np.vstack((np.eye(n), solver.rows))
    A, b = (
        np.vstack((everything, -everything)),
        np.concatenate((solver.bounds_upper, -solver.bounds_lower)),
    )
    bounded = np.isfinite(b)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    other = clarabel.DefaultSolver(
        csc_matrix(np.triu(solver.hessian)),
        solver.gradient,
        csc_matrix(A[bounded]),
        b[bounded],
        [clarabel.NonnegativeConeT(int(bounded.sum()))] if bounded.any() else [],
        settings,
    )
    np.testing.assert_allclose(solver.solution, other.solve().x, atol=1e-6)


def test_equalities_are_bounds_that_meet(make, rng):
    solver = make(6, 3)
    draw(solver, rng)
    solver.bounds_lower[:], solver.bounds_upper[:] = -np.inf, np.inf
    solver.row_lower[:] = solver.row_upper[:] = (1.0, -2.0, 0.5)
    assert solver.solve() is QPStatus.SOLVED
    np.testing.assert_allclose(solver.rows @ solver.solution, (1.0, -2.0, 0.5), atol=1e-8)
    assert_optimal(solver)


@given(seed=SEEDS)
def test_bounds_that_exclude_each_other_are_told_and_forgotten(make, seed):
    solver, rng = make(5, 4), np.random.default_rng(seed)
    for _ in range(3):
        draw(solver, rng)
        solver.rows[1] = solver.rows[0]
        solver.row_lower[:2], solver.row_upper[:2] = (10.0, -20.0), (20.0, -10.0)
        assert solver.solve() is QPStatus.INFEASIBLE
        draw(solver, rng)
        assert solver.solve() is QPStatus.SOLVED
        assert_optimal(solver)


@pytest.mark.parametrize("where", ["hessian", "gradient", "rows"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_told_and_forgotten(make, rng, where, value):
    solver = make(4, 2)
    draw(solver, rng)
    good = getattr(solver, where).copy()
    assert solver.solve() is QPStatus.SOLVED
    before = solver.solution.copy()
    getattr(solver, where).flat[1] = value
    assert solver.solve() is QPStatus.NOT_FINITE
    getattr(solver, where)[:] = good
    assert solver.solve() is QPStatus.SOLVED
    np.testing.assert_allclose(solver.solution, before, atol=1e-8)


@pytest.mark.parametrize("part", ["lower", "row_lower"])
def test_bounds_out_of_order_are_infeasible_and_no_numbers_are_told(make, rng, part):
    solver = make(4, 2)
    draw(solver, rng)
    good = getattr(solver, part)[1]
    for value, status in ((1e9, QPStatus.INFEASIBLE), (np.nan, QPStatus.NOT_FINITE)):
        getattr(solver, part.replace("lower", "upper"))[1] = 1e8
        getattr(solver, part)[1] = value
        assert solver.solve() is status
    getattr(solver, part)[1] = good
    assert solver.solve() is QPStatus.SOLVED


@given(seed=SEEDS, n=st.integers(1, 12), m=st.integers(0, 8), span=st.floats(0.0, 12.0))
def test_units_of_the_variables_change_nothing(make, seed, n, m, span):
    """Joints of very different inertia: what one of them does is no rounding of another."""
    plain, scaled, rng = make(n, m), make(n, m), np.random.default_rng(seed)
    draw(plain, rng)
    assert plain.solve() is QPStatus.SOLVED
    unit = 10.0 ** rng.uniform(-span / 2.0, span / 2.0, n)
    scaled.hessian[:] = plain.hessian / np.outer(unit, unit)
    scaled.gradient[:] = plain.gradient / unit
    scaled.rows[:] = plain.rows / unit
    for name in ("bounds_lower", "bounds_upper"):
        getattr(scaled, name)[:] = getattr(plain, name)
        getattr(scaled, name)[:n] *= unit
    assert scaled.solve() is QPStatus.SOLVED
    np.testing.assert_allclose(scaled.solution / unit, plain.solution, atol=1e-6)


def test_a_cost_without_a_least_place_is_forgotten(make):
    solver = make(2, 1)
    solver.gradient[:] = (-1.0, 2.0)
    assert solver.solve() is QPStatus.SOLVED
    solver.hessian[:] = -np.eye(2)  # a maximum, and no bounds
    solver.solve()  # H is not positive definite, so anything may be said of it
    solver.hessian[:] = np.eye(2)
    assert solver.solve() is QPStatus.SOLVED
    np.testing.assert_allclose(solver.solution, (1.0, -2.0), atol=1e-8)


def test_prints_nothing(make, rng, capfd):
    solver = make(4, 3)
    draw(solver, rng)
    solver.solve()
    assert capfd.readouterr() == ("", "")


def test_prints_nothing_once_it_has_lost_its_way(make, capfd):
    """What waits for a terminal or a full disc would hold up the servo."""
    solver, ramp = make(4, 2), np.arange(1.0, 5.0)
    solver.gradient[:] = -1.0
    solver.hessian[:] = 1e-30 * np.outer(ramp, ramp)  # without a least place
    solver.solve()
    solver.hessian[:], solver.rows[:] = np.eye(4), 1.0
    for _ in range(2):
        solver.row_lower[0], solver.row_upper[1] = 0.5, 0.1
        assert solver.solve() is QPStatus.INFEASIBLE
        solver.row_lower[0] = -np.inf
        assert solver.solve() is QPStatus.SOLVED
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", sorted(LIBRARIES))
def test_a_library_that_is_missing_is_named_with_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, LIBRARIES[name], None)
    solver = GROUP[name].load()()
    with pytest.raises(QPError, match=rf"{name} needs {LIBRARIES[name]}.*pip install"):
        solver.prepare(3, 0)


def test_the_configuration_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "daqp", None)
    with pytest.raises(ConfigurationError, match=r"DAQP needs daqp.*pip install 'daqp>="):
        load_stack(QP_CONFIGURATION)


def test_who_asks_for_no_solver_misses_none(monkeypatch):
    for library in LIBRARIES.values():
        monkeypatch.setitem(sys.modules, library, None)
    load_stack(REPOSITORY / "config" / "dreamer" / "hands.yaml")


def test_a_solver_that_does_not_exist_is_refused_with_the_nearest():
    with pytest.raises(ConfigurationError, match=r"'qpoases'.*a QP solver type.*qpOASES"):
        load_stack(QP_CONFIGURATION, {"qp_solver_type": "qpoases"})
