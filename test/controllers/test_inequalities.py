"""Inequalities in WholeBodyQP: kept, turned into efforts, given way to, named."""

import numpy as np
import pytest
from hypothesis import given
from prioritisations import each_prioritisation
from robots_for_tests import SEEDS
from test_wbosc import dreamer_setup
from test_whole_body_qp import bent, two_levels

from controlit_ros.controllers.weighted import Weighted
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.finite import NotFiniteError
from controlit_ros.inequalities import Inequality, RowsOf
from controlit_ros.inequalities.effort_rate import EffortRate
from controlit_ros.inequalities.joint_bounds import JointBounds
from controlit_ros.parameters import ParameterError
from controlit_ros.solvers import QPError

pytestmark = pytest.mark.simulation

ENOUGH = 1e4  # [N m]


class Slow(Inequality):
    """What a third party might write: no acceleration of the joints beyond a bound."""

    def __init__(self, name, robot):
        super().__init__(name, robot)
        self.most = self.declare("most", 1.0, unit="rad/s²")
        self.least = self.declare("least", -1e6, unit="rad/s²")

    @property
    def rows(self):
        return 2 * len(self.robot.command_joints)

    @property
    def labels(self):
        return self.robot.command_joints * 2

    def update(self, model, rows, upper):
        n = len(self.robot.command_joints)
        rows[np.arange(n), self.robot.command_dofs] = 1.0
        rows[n + np.arange(n), self.robot.command_dofs] = -1.0
        upper[:n], upper[n:] = self.most.value, -self.least.value


class Weak(Inequality):
    """Efforts that are not above a bound."""

    rows_of = RowsOf.EFFORT
    unit = "N m"

    def __init__(self, name, robot):
        super().__init__(name, robot)
        self.most = self.declare("most", 1.0, unit="N m")

    @property
    def rows(self):
        return len(self.robot.command_joints)

    def update(self, model, rows, upper):
        np.fill_diagonal(rows, 1.0)
        upper.fill(self.most.value)


def made(kind, setup, name="kept", **parameters):
    part = kind(name, setup.description)
    for key, value in parameters.items():
        part.parameter(key).set(value)
    part.configure(setup.model.constraints, 1e-3)
    return part


def quadratic(setup, prioritisation, *parts, effort=ENOUGH):
    controller = WholeBodyQP(setup.description, setup.controller.max_rows)
    controller.singularity_handling.set("truncate")
    controller.prioritisation = prioritisation()
    controller.inequalities = parts
    limit = np.full(len(setup.command.effort), effort)
    controller.limits = controller.limits._replace(effort=limit)
    controller.configure(setup.compound)
    return controller


def solve(controller, setup):
    controller.compute_command(setup.model, setup.compound, setup.command)
    return setup.command.effort.copy()


def prepared(seed):
    setup = dreamer_setup(two_levels)
    state = bent(setup, np.random.default_rng(seed))
    free = setup.effort(state)
    return setup, state, free


@each_prioritisation
@given(SEEDS)
def test_accelerations_by_forward_dynamics_keep_the_rows(prioritisation, seed):
    setup, state, free = prepared(seed)
    dofs = setup.description.command_dofs
    before = setup.acceleration(state, free)[dofs]
    most = 0.5 * np.abs(before).max()
    part = made(Slow, setup, most=most, least=-most)
    controller = quadratic(setup, prioritisation, part)
    after = setup.acceleration(state, solve(controller, setup))[dofs]
    assert (np.abs(after) <= most + 1e-5 * (1.0 + most)).all()
    assert part.missing.value == 0.0
    assert controller.complaint() == ""
    part.enabled.set(False)
    unbound = setup.acceleration(state, solve(controller, setup))[dofs]
    assert np.abs(unbound).max() > 1.5 * most


@each_prioritisation
def test_what_is_not_met_changes_nothing(prioritisation):
    setup, _, _ = prepared(1)
    alone = solve(quadratic(setup, prioritisation), setup)
    beside = quadratic(setup, prioritisation, made(Slow, setup, most=1e5, least=-1e5))
    np.testing.assert_allclose(solve(beside, setup), alone, atol=1e-5)


@each_prioritisation
@given(SEEDS)
def test_where_two_exclude_each_other_the_last_gives_way_and_is_named(prioritisation, seed):
    setup, state, _ = prepared(seed)
    dofs = setup.description.command_dofs
    up = made(Slow, setup, "Up", most=1e6, least=2.0)
    down = made(Slow, setup, "Down", most=-1.0)
    for parts, kept in (((up, down), up), ((down, up), down)):
        controller = quadratic(setup, prioritisation, *parts)
        for _ in range(3):  # from the second on it begins with what gave way
            found = setup.acceleration(state, solve(controller, setup))[dofs]
            lost = down if kept is up else up
            assert kept.missing.value == 0.0
            assert lost.missing.value == pytest.approx(3.0, abs=1e-3)
            bound = 2.0 if kept is up else -1.0
            np.testing.assert_allclose(found, bound, atol=1e-2)
            assert controller.solver_status.value == "solved"
            assert controller.missed == {lost.name}
            assert f"{lost.name!r} by 3 m/s²" in controller.complaint()
        lost.enabled.set(False)
        solve(controller, setup)
        assert controller.missed == set()
        assert controller.complaint() == ""
        lost.enabled.set(True)


@each_prioritisation
def test_the_effort_does_not_jump_when_inequalities_begin_to_exclude_each_other(prioritisation):
    setup, _, _ = prepared(3)
    up = made(Slow, setup, "Up", most=1e6, least=2.0)
    down = made(Slow, setup, "Down", most=3.0)
    controller = quadratic(setup, prioritisation, up, down)
    efforts, missing = [], []
    for most in np.linspace(3.0, 1.0, 201):
        down.most.set(most)
        efforts.append(solve(controller, setup))
        missing.append(down.missing.value)
    steps = np.abs(np.diff(efforts, axis=0)).max(axis=1)
    assert missing[0] == 0.0
    assert missing[-1] == pytest.approx(1.0, abs=1e-3)
    # an acceleration of 0.01 rad/s² a step; the inertia of the joints is below 10 kg m²
    assert steps.max() < 0.5


@each_prioritisation
def test_rows_of_efforts_and_of_their_change_are_kept(prioritisation):
    setup, _, free = prepared(2)
    weak = made(Weak, setup, most=0.5 * free.max())
    assert solve(quadratic(setup, prioritisation, weak), setup).max() <= weak.most.value + 1e-6
    rate = made(EffortRate, setup, "Rate", rate=1000.0)
    controller = quadratic(setup, prioritisation, rate)
    first = solve(controller, setup)
    for level in setup.compound.levels:
        setup.compound.command[level.rows] *= -3.0
    second = solve(controller, setup)
    assert np.abs(second - first).max() == pytest.approx(1.0, abs=1e-6)
    controller.restart()
    assert np.abs(solve(controller, setup) - second).max() > 2.0


@each_prioritisation
@given(SEEDS)
def test_joint_bounds_are_those_of_the_accelerations(prioritisation, seed):
    setup, state, _ = prepared(seed)
    part = made(JointBounds, setup, acceleration=2.0)
    dofs = setup.description.command_dofs
    controller = quadratic(setup, prioritisation, part)
    found = setup.acceleration(state, solve(controller, setup))[dofs]
    assert (np.abs(found) <= 2.0 + 1e-4).all()


@each_prioritisation
def test_limits_that_hold_back_have_multipliers_and_names(prioritisation):
    setup, state, free = prepared(5)
    dofs = setup.description.command_dofs
    most = 0.3 * np.abs(setup.acceleration(state, free)[dofs]).max()
    part = made(Slow, setup, "Calm", most=most, least=-most)
    controller = quadratic(setup, prioritisation, part)
    found = setup.acceleration(state, solve(controller, setup))[dofs]
    names = controller.named_bounds()
    multipliers = controller.prioritisation.multipliers
    assert len(names) == len(multipliers)
    n, joints = len(dofs), setup.description.command_joints
    met = {joints[i] for i in np.flatnonzero(np.abs(found) > most - 1e-6)}
    active = {names[i][1] for i in np.flatnonzero(np.abs(multipliers) > 1e-9)}
    assert {bound.part for bound in active} <= met
    assert active
    assert all(bound.text == f"inequality 'Calm' ({bound.part})" for bound in active)
    assert n == len(joints)


def test_a_joint_that_no_effort_moves_bounds_nothing():
    """The base is bolted: a row over its acceleration is no reason to give up."""
    setup, _, _ = prepared(6)

    class OfTheBase(Slow):
        rows = 1
        labels = ()

        def update(self, model, rows, upper):
            rows[0, 0] = 1.0
            upper[0] = -5.0

    part = made(OfTheBase, setup)
    controller = quadratic(setup, Weighted, part)
    alone = solve(quadratic(setup, Weighted), setup)
    np.testing.assert_allclose(solve(controller, setup), alone, atol=1e-6)
    assert part.missing.value == 0.0


@each_prioritisation
@pytest.mark.parametrize("kind", [Slow, Weak])
@pytest.mark.parametrize(
    ("entry", "bound", "message"),
    [
        (np.nan, 1.0, r"Wrong: the row is not finite: found nan at \[0, 7\]"),
        (-np.inf, 1.0, r"Wrong: the row is not finite: found -inf at \[0, 7\]"),
        (1e300, 1.0, r"Wrong: the row is not finite: found numbers up to 1e\+300"),
        (1.0, np.nan, r"Wrong: the bound is not finite: found nan at \[0\]"),
        (1.0, -np.inf, r"Wrong: the bound is not finite: found -inf at \[0\]"),
    ],
)
def test_what_is_no_number_is_told_and_never_left_out(prioritisation, kind, entry, bound, message):
    setup, _, _ = prepared(9)

    class Wrong(kind):
        def update(self, model, rows, upper):
            rows[0, 7], upper[0] = entry, bound

    part = made(Wrong, setup, "Wrong")
    controller = quadratic(setup, prioritisation, part)
    for _ in range(2):
        with pytest.raises(NotFiniteError, match=message):
            solve(controller, setup)
    part.enabled.set(False)
    assert np.isfinite(solve(controller, setup)).all()


def test_what_is_declared_is_checked():
    setup, _, _ = prepared(7)
    with pytest.raises(ParameterError, match=r"kept\.acceleration: found 0"):
        made(JointBounds, setup, acceleration=0.0)


@each_prioritisation
def test_a_conflict_is_an_error_where_the_file_says_safe(prioritisation):
    setup, _, _ = prepared(8)
    up = made(Slow, setup, "Up", most=1e6, least=2.0)
    down = made(Slow, setup, "Down", most=-1.0)
    controller = quadratic(setup, prioritisation, up, down)
    solve(controller, setup)
    controller.on_conflict.set("safe")
    with pytest.raises(QPError, match=r"no effort keeps together: found that 'Down' by 3"):
        solve(controller, setup)
    down.enabled.set(False)
    solve(controller, setup)
