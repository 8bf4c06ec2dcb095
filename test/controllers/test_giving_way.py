"""Which rows give way, against the same hierarchy of least squares by clarabel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from scipy import sparse

from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.giving_way import GivingWay
from controlit_ros.solvers import QPStatus
from controlit_ros.solvers.daqp import DAQP

LARGEST = 20.0  # [N m]
N_EFFORTS = 5
ROOM = 1e-3


def problem(rng, n, sizes):
    """Return (bounds, groups) of rows that exclude each other as a rule."""
    m = sum(sizes)
    bounds = EffortBounds.zeros(n, m, slice(0, 0))
    bounds.lower[:], bounds.upper[:] = -LARGEST, LARGEST
    bounds.rows[:] = rng.normal(size=(m, n))
    bounds.row_upper[:] = rng.normal(scale=30.0, size=m)
    ends = np.cumsum(sizes).tolist()
    return bounds, [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]


def least_slack(bounds, kept, group):
    """Return s of `min |s|²` with rows `kept` (A, b) and those of a group less s, by clarabel."""
    clarabel = pytest.importorskip("clarabel")
    n, k = len(bounds.lower), group.stop - group.start
    (A, b), own = kept, bounds.rows[group]
    stacked = np.block(
        [
            [A, np.zeros((len(b), k))],
            [own, -np.eye(k)],
            [np.zeros((k, n)), -np.eye(k)],
            [np.eye(n), np.zeros((n, k))],
            [-np.eye(n), np.zeros((n, k))],
        ]
    )
    limits = np.concatenate([b, bounds.row_upper[group], np.zeros(k), bounds.upper, -bounds.lower])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    cost = np.diag([0.0] * n + [1.0] * k)
    solved = clarabel.DefaultSolver(
        sparse.csc_matrix(cost), np.zeros(n + k), sparse.csc_matrix(stacked), limits,
        [clarabel.NonnegativeConeT(len(limits))], settings,
    ).solve()  # fmt: skip
    return np.maximum(np.array(solved.x)[n:], 0.0)


@given(SEEDS, st.integers(2, 7))
def test_each_group_gives_way_by_the_least_squares_that_those_before_leave(seed, n):
    rng = np.random.default_rng(seed)
    bounds, groups = problem(rng, n, (4, 3, 5))
    given_upper = bounds.row_upper.copy()
    giving = GivingWay(DAQP(), n, 12, groups)
    assert giving.widen(bounds, np.zeros(n)) is QPStatus.SOLVED
    slack = bounds.row_upper - given_upper
    A, b = np.zeros((0, n)), np.zeros(0)
    for number, group in enumerate(groups):
        expected = least_slack(bounds._replace(row_upper=given_upper), (A, b), group)
        least, found = expected @ expected, slack[group] @ slack[group]
        assert found == pytest.approx(least, rel=1e-3, abs=1e-3)
        # of vectors of a convex set that are that short, none is farther from the shortest
        assert np.sum((slack[group] - expected) ** 2) <= 2e-3 * (1.0 + least)
        assert giving.missing[number] == pytest.approx(slack[group].max(), rel=1e-4, abs=2e-4)
        A, b = np.vstack([A, bounds.rows[group]]), np.append(b, bounds.row_upper[group])
    assert (bounds.rows @ giving.effort <= bounds.row_upper + 1e-9).all()
    assert (np.abs(giving.effort) <= LARGEST + 1e-9).all()
    giving.restore(bounds)
    np.testing.assert_array_equal(bounds.row_upper, given_upper)


@given(SEEDS)
def test_what_can_be_kept_is_not_missed(seed):
    rng = np.random.default_rng(seed)
    bounds, groups = problem(rng, 5, (4, 6))
    bounds.row_upper[:] = bounds.rows @ rng.uniform(-5.0, 5.0, 5) + ROOM
    giving = GivingWay(DAQP(), 5, 10, groups)
    assert giving.widen(bounds, rng.normal(size=5)) is QPStatus.SOLVED
    assert giving.missing.max() < ROOM  # as a rule 0; a wedge that is so narrow takes long


def giving_up_on(size):
    """Return DAQP that gives up where `size` variables are added to the efforts."""

    class GivesUp(DAQP):
        def solve(self):
            gives_up = len(self.gradient) == N_EFFORTS + size
            return QPStatus.FAILED if gives_up else super().solve()

    return GivesUp()


@pytest.mark.parametrize("size", [4, 3, 5])
@given(SEEDS)
def test_a_group_that_the_solver_gives_up_on_is_missed_by_what_was_found_so_far(size, seed):
    """Beside a row that never gives way, which the effort before keeps."""
    rng = np.random.default_rng(seed)
    bounds, groups = problem(rng, N_EFFORTS, (4, 3, 5, 1))
    last = rng.uniform(-5.0, 5.0, N_EFFORTS)
    bounds.row_upper[12] = bounds.rows[12] @ last + 0.1
    given_upper = bounds.row_upper.copy()
    giving = GivingWay(giving_up_on(size), N_EFFORTS, 13, groups[:3])
    assert giving.widen(bounds, last) is QPStatus.SOLVED
    reached = bounds.rows @ giving.effort
    assert (reached <= bounds.row_upper + 1e-6).all()  # 2e-7 in one of 9000
    assert bounds.row_upper[12] == given_upper[12]
    for number, group in enumerate(groups[:3]):
        missed = (reached - given_upper)[group].max(initial=0.0)
        assert giving.missing[number] >= missed - 1e-4 * (1.0 + missed)


@given(SEEDS)
def test_what_never_gives_way_and_is_not_kept_is_told(seed):
    rng = np.random.default_rng(seed)
    bounds, groups = problem(rng, N_EFFORTS, (4, 1))
    last = rng.uniform(-5.0, 5.0, N_EFFORTS)
    bounds.row_upper[4] = bounds.rows[4] @ last - 1.0
    given_upper = bounds.row_upper.copy()
    giving = GivingWay(giving_up_on(4), N_EFFORTS, 5, groups[:1])
    assert giving.widen(bounds, last) is QPStatus.FAILED
    np.testing.assert_array_equal(bounds.row_upper, given_upper)


@given(SEEDS)
def test_what_is_missed_does_not_jump(seed):
    """Where it changes most, smaller changes of the bounds change it less.

    Down to a thousandth: a row that is missed by next to nothing is kept, which others have to pay.
    """
    way = np.linspace(0.0, 2.0, 20)
    coarse = missed_on(seed, way)
    changes = np.abs(np.diff(coarse, axis=0)).max(axis=1)
    steepest = changes.argmax()
    fine = missed_on(seed, np.linspace(way[steepest], way[steepest + 1], 200))
    largest = np.abs(np.diff(fine, axis=0)).max()
    assert largest < 0.3 * changes[steepest] + 1e-3 * (1.0 + coarse.max())


def missed_on(seed, way):
    """Return what each group is missed by, `(steps, groups)`, as bounds go a way."""
    rng = np.random.default_rng(seed)
    bounds, groups = problem(rng, 5, (6, 6))
    giving = GivingWay(DAQP(), 5, 12, groups)
    start, direction = bounds.row_upper.copy(), rng.normal(size=12)
    missing = []
    for place in way:
        bounds.row_upper[:] = start + place * direction
        assert giving.widen(bounds, giving.effort.copy()) is QPStatus.SOLVED
        missing.append(giving.missing.copy())
        giving.restore(bounds)
    return np.array(missing)
