"""Hierarchical against an independent cascade, projections, and itself with fewer levels."""

import numpy as np
import pytest
from contact_oracles import solve
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from test_contact_cones import (
    HARD,
    KINDS,
    POINT,
    REGULARISATION,
    SOLE,
    PointContact,
    biped,
    setup_missing,
    wrenches,
)
from test_wbosc import achieved, dreamer_setup, hands_and_posture
from test_whole_body_qp import bent, quadratic, two_levels
from test_whole_body_qp import solve as effort_of
from whole_problem import cascade

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.hierarchical import Hierarchical
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.solvers import QPError, QPStatus
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.tasks import DISABLE, ENABLE

pytestmark = pytest.mark.simulation

STRICT = 1e-6  # [-] by which a level may be changed, as a part of the largest acceleration
LIMIT = 300.0  # [N m]


def accelerations(setup, effort):
    """Return what each level does under an effort, by forward dynamics."""
    motion, _ = solve(setup.model, effort)
    return [setup.compound.jacobian[level.rows] @ motion for level in setup.compound.levels]


def three_levels(kind, parameters, **options):
    """Return a biped with position over orientation over posture."""
    setup = biped(kind, parameters, **options)
    setup.tasks[0].priority.set(2)
    setup.compute()
    return setup


def only_above(setup, priority):
    """Compute with the levels from a priority on alone; the others come back afterwards."""
    below = [task for task in setup.tasks if task.priority.value < priority]
    for task in below:
        task.operational_state.set(DISABLE)
    effort = setup.compute()
    found = accelerations(setup, effort)
    for task in below:
        task.operational_state.set(ENABLE)
    setup.update(setup.model.robot_model.state)
    return found


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@given(seed=SEEDS, reach=st.sampled_from([0.1, 1.0]), limit=st.sampled_from([50.0, LIMIT]))
def test_is_the_optimum_of_a_cascade_by_another_solver(kind, parameters, seed, reach, limit):
    """Accelerations, efforts and wrenches as unknowns, levels above as rows, no basis in common."""
    setup = three_levels(
        kind, parameters, prioritisation=Hierarchical, reach=reach, seed=seed, effort=limit
    )
    effort = setup.compute()
    if setup_missing(setup):
        return
    expected = cascade(setup, limit=limit, regularisation=REGULARISATION)
    # 4e-9 of the first level come back as 3e-6 in the third
    np.testing.assert_allclose(effort, expected, atol=1e-5 * (1.0 + np.abs(expected).max()))


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@given(
    seed=SEEDS,
    reach=st.sampled_from([0.05, 1.0]),
    limit=st.sampled_from([50.0, LIMIT, 1e4]),
    regularisation=st.sampled_from([1e-9, 1e-6, 1e-3]),
)
def test_no_level_changes_those_above_it_whatever_holds_them_back(
    kind, parameters, seed, reach, limit, regularisation
):
    setup = three_levels(
        kind,
        parameters,
        prioritisation=Hierarchical,
        reach=reach,
        seed=seed,
        effort=limit,
        regularisation=regularisation,
    )
    found = accelerations(setup, setup.compute())
    assert len(found) == 3
    assume(setup.controller.unsolved_levels.value == 0)  # told, and rare
    size = 1.0 + max(np.abs(level).max() for level in found)
    for highest in (2, 1):
        alone = only_above(setup, highest)
        assume(setup.controller.unsolved_levels.value == 0)
        for with_more, without in zip(found, alone, strict=False):
            np.testing.assert_allclose(with_more, without, atol=STRICT * size)


@given(seed=SEEDS)
def test_the_first_level_is_served_as_if_it_were_alone_in_one_weighted_problem(seed):
    """Another kernel, another metric, one problem: the same optimum."""
    options = {"reach": 1.0, "seed": seed, "effort": LIMIT}
    strict = biped(FlatContact, SOLE, prioritisation=Hierarchical, **options)
    found = accelerations(strict, strict.compute())[0]
    alone = biped(FlatContact, SOLE, prioritisation=Weighted, **options)
    alone.tasks[-1].operational_state.set(DISABLE)
    expected = accelerations(alone, alone.compute())[0]
    np.testing.assert_allclose(found, expected, atol=STRICT * (1.0 + np.abs(expected).max()))


@given(SEEDS)
def test_without_limits_it_is_the_recursion_that_reaches_lower_levels(seed):
    setup = dreamer_setup(hands_and_posture)
    state = bent(setup, np.random.default_rng(seed))
    setup.controller.reach_lower_levels.set(True)
    expected = achieved(setup, state, setup.effort(state))
    found = achieved(setup, state, effort_of(quadratic(setup, Hierarchical), setup))
    assert len(found) > 1
    for level, reached in zip(found, expected, strict=True):
        np.testing.assert_allclose(level, reached, atol=1e-5 * (1.0 + np.abs(reached).max()))


def test_is_strict_where_weights_are_not():
    """The posture disturbs the pelvis by weights, and not here."""
    options = {"reach": 0.1, "seed": 3, "effort": LIMIT, "level_weight": 10.0}
    strict = biped(FlatContact, SOLE, prioritisation=Hierarchical, **options)
    soft = biped(FlatContact, SOLE, prioritisation=Weighted, **options)
    found = [accelerations(setup, setup.compute())[0] for setup in (strict, soft)]
    alone = only_above(strict, 1)[0]
    off = [np.abs(reached - alone).max() for reached in found]
    assert off[0] < 1e-9
    assert off[1] > 1.0


@given(SEEDS, st.floats(0.2, 0.7))
def test_a_lower_level_has_all_that_is_left(seed, part):
    """What a level reaches no effort betters that keeps limits and the level above."""
    setup = dreamer_setup(two_levels)
    state = bent(setup, np.random.default_rng(seed))
    free, bias = setup.effort(state), setup.model.bias_effort
    limit = np.abs(bias) + part * np.abs(free - bias).max()
    effort = effort_of(quadratic(setup, Hierarchical, effort=limit), setup)
    wanted = [setup.compound.command[level.rows] for level in setup.compound.levels]
    zero = achieved(setup, state, np.zeros_like(limit))
    columns = [achieved(setup, state, unit) for unit in np.eye(len(limit))]
    maps = [np.transpose([c[k] for c in columns]) - zero[k][:, None] for k in range(2)]
    slope = maps[1].T @ (zero[1] + maps[1] @ effort - wanted[1])
    at_end = np.abs(effort) > limit - 1e-9
    kept = np.vstack([maps[0], np.eye(len(limit))[at_end]])
    ways = np.eye(len(limit)) - np.linalg.pinv(kept, rcond=1e-9) @ kept
    size = np.linalg.norm(maps[1], 2) * (1.0 + np.linalg.norm(wanted[1]))
    assert np.linalg.norm(ways @ slope) < 1e-5 * size


def test_without_tasks_it_holds_the_robot():
    setup = biped(FlatContact, SOLE, prioritisation=Hierarchical, reach=0.0, seed=0)
    for task in setup.tasks:
        task.operational_state.set(DISABLE)
    effort = setup.compute()
    assert len(setup.compound.levels) == 0
    for site, wrench in zip(setup.description.contacts, wrenches(setup, effort), strict=True):
        assert site.hold.cone(8, 0.05).beyond(wrench) <= HARD + setup_missing(setup)


def test_what_is_not_finite_is_told_of_a_level_that_has_nothing_left_as_well():
    setup = biped(FlatContact, SOLE, prioritisation=Hierarchical, reach=0.1, seed=1)
    setup.compute()
    setup.compound.command[setup.compound.levels[-1].rows] = np.nan
    with pytest.raises(QPError, match="not finite"):
        setup.controller.compute_command(setup.model, setup.compound, setup.command)


def test_levels_come_go_and_change_places_while_it_runs():
    setup = three_levels(
        FlatContact, SOLE, prioritisation=Hierarchical, reach=0.3, seed=5, effort=LIMIT
    )
    before = setup.compute()
    setup.tasks[1].priority.set(3)  # upright above the position
    swapped = setup.compute()
    assert [level.priority for level in setup.compound.levels] == [3, 2, 0]
    np.testing.assert_allclose(
        accelerations(setup, swapped)[0], only_above(setup, 3)[0], atol=STRICT * 100.0
    )
    assert np.abs(swapped - before).max() > 1e-3
    setup.tasks[1].priority.set(1)
    np.testing.assert_allclose(setup.compute(), before, atol=1e-6)


class Reluctant(DAQP):
    """Gives up on any problem smaller than the first; each level has a solver of its own."""

    whole = 0

    def _solve(self):
        type(self).whole = max(type(self).whole, len(self.gradient))
        return super()._solve() if len(self.gradient) == self.whole else QPStatus.FAILED

    def _solve_anew(self):
        return QPStatus.FAILED


class Misled(DAQP):
    """Says of any problem smaller than the first that it has no solution, if not asked anew."""

    whole = 0

    def _solve(self):
        type(self).whole = max(type(self).whole, len(self.gradient))
        return super()._solve() if len(self.gradient) == self.whole else QPStatus.INFEASIBLE


def test_levels_that_the_solver_gives_up_on_are_told_and_harm_nothing():
    for seed in range(20):
        setup = three_levels(
            PointContact, POINT, prioritisation=Hierarchical, reach=1.0, seed=seed, effort=LIMIT
        )
        expected = accelerations(setup, setup.compute())[0]
        if setup_missing(setup):
            continue
        setup.controller.qp_solver = Reluctant()
        setup.controller.configure(setup.compound)
        effort = setup.compute()
        if not setup.controller.unsolved_levels.value:
            continue  # no bound holds a lower level back
        assert "gave up on the lowest priority levels" in setup.controller.complaint()
        assert (np.abs(effort) <= LIMIT).all()
        for site, wrench in zip(setup.description.contacts, wrenches(setup, effort), strict=True):
            assert site.hold.cone(8, 0.05).beyond(wrench) <= HARD
        np.testing.assert_allclose(
            accelerations(setup, effort)[0], expected, atol=STRICT * (1.0 + np.abs(expected).max())
        )
        return
    pytest.fail("no problem had a bound that holds a lower level back")


def test_levels_that_are_said_to_have_no_solution_are_sought_anew():
    """The levels above have one, which keeps all bounds of theirs: there is no such level."""
    for seed in range(20):
        setup = three_levels(
            PointContact, POINT, prioritisation=Hierarchical, reach=1.0, seed=seed, effort=LIMIT
        )
        expected = setup.compute()
        assert setup.controller.unsolved_levels.value == 0
        setup.controller.qp_solver = Misled()
        setup.controller.configure(setup.compound)
        np.testing.assert_allclose(setup.compute(), expected, atol=1e-5)
        assert setup.controller.unsolved_levels.value == 0
