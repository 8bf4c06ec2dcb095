"""WholeBodyQP asks contacts for what they bear, as the whole problem with forces as unknowns."""

import itertools
from importlib.metadata import entry_points

import numpy as np
import pytest
from contact_oracles import FOOT, PointContact, biped_in_contact, solve, standing
from hypothesis import example, given
from hypothesis import strategies as st
from prioritisations import each_prioritisation
from qp_libraries import skip_without
from robots_for_tests import SEEDS, configured, keep_constraints
from scipy.optimize import linprog
from test_wbosc import Setup
from whole_problem import whole_problem

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.model.contact_hold import ContactHold
from controlit_ros.solvers import QPError
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.solvers.qp_solver import WRONG
from controlit_ros.tasks import DISABLE
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_3d import Orientation3D

SOLE = {"friction": 0.5, "half_size": [FOOT[0] / 2, FOOT[1] / 2]}
TWISTING = {**SOLE, "torsional_friction": 0.02}
POINT = {"friction": 0.4}
LOADED = {**SOLE, "least_normal_force": 60.0, "greatest_normal_force": 250.0}
KINDS = [
    (FlatContact, SOLE),
    (FlatContact, TWISTING),
    (FlatContact, LOADED),
    (PointContact, POINT),
    (PointContact, {**POINT, "greatest_normal_force": 200.0}),
]
BOTH = ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0))
WEIGHT, REGULARISATION = 1e3, 1e-3
HARD = 1e-6  # [N] by which a wrench may leave its cone


def biped(
    kind,
    parameters,
    *,
    reach,
    seed,
    effort=1e4,
    prioritisation=Weighted,
    solver=DAQP,
    **controller,
):
    """Return a biped in motion whose pelvis is told to go far, and its configured WholeBodyQP."""
    description, constraints, _ = biped_in_contact(kind, **parameters)
    rng = np.random.default_rng(seed)
    state = standing(description)
    state.position[:] += rng.uniform(-0.2, 0.2, len(state.position))
    state.velocity[:] = rng.normal(size=len(state.velocity))
    state.base_velocity[:] = rng.normal(size=6)
    goal = state.base_position + reach * rng.normal(size=3)
    gains = {"body": "pelvis", "kp": 100.0, "kd": 10.0, "priority": 1}
    tasks = [
        configured(CartesianPosition("pelvis", description), goal_position=goal, **gains),
        configured(Orientation3D("upright", description), **gains),
        configured(JointPosition("posture", description), kp=20.0, kd=5.0),
    ]
    setup = Setup(description, constraints.constraints, tasks)
    setup.model.constraints.with_reactions = True
    setup.model.update(state)
    keep_constraints(state, setup.model.Jc)
    setup.controller = WholeBodyQP(description, setup.controller.max_rows)
    setup.controller.singularity_handling.set("truncate")
    setup.controller.prioritisation = prioritisation()
    setup.controller.qp_solver = solver()
    chosen = {"level_weight": WEIGHT, "regularisation": REGULARISATION, **controller}
    for name, value in chosen.items():
        setup.controller.parameter(name).set(value)
    limits = np.full(len(description.command_joints), effort)
    setup.controller.limits = setup.controller.limits._replace(effort=limits)
    setup.controller.configure(setup.compound)
    setup.update(state)
    return setup


def wrenches(setup, effort):
    """Return force and moment of each contact in its own axes, without the implementation."""
    model = setup.model
    _, reactions = solve(model, effort)
    found = np.zeros((len(model.constraints.contacts), 6))
    row = 0
    for contact, wrench in zip(model.constraints.contacts, found, strict=True):
        if contact.is_enabled:
            axes, n = contact.axes(model.robot_model), contact.dimension
            own = reactions[row : row + n].reshape(-1, 3)
            wrench[:n] = (own @ axes).ravel()
            row += n
    return found


@given(SEEDS, st.integers(4, 12), st.floats(-2.0, 2.0), st.floats(0.01, 1.0), st.floats(0.01, 1.0))
def test_forces_at_the_corners_of_a_sole_are_within_its_cone(seed, sides, power, x, y):
    rng, mu = np.random.default_rng(seed), 10.0**power
    cone = ContactHold(mu, 0.0, (x, y), 0.0).cone(sides)
    wrench = np.zeros(6)
    for corner in BOTH:
        up = rng.uniform(0.0, 100.0)
        angle, along = rng.uniform(0.0, 2.0 * np.pi), mu * np.cos(np.pi / sides) * up
        force = np.array([along * np.cos(angle), along * np.sin(angle), up])
        wrench += np.concatenate((force, np.cross([*np.multiply(corner, (x, y)), 0.0], force)))
    assert cone.beyond(wrench) <= 1e-9 * np.abs(wrench).max()


@given(SEEDS, st.floats(0.0, 0.5), st.sampled_from([0.0, 0.1]))
def test_what_is_within_the_cone_is_borne_by_corners_and_is_no_complaint(seed, margin, torsional):
    rng, mu, half = np.random.default_rng(seed), 0.6, (0.12, 0.05)
    hold = ContactHold(mu, torsional, half, 0.0)
    cone = hold.cone(8, margin).rows
    wrench = np.array([0.0, 0.0, 100.0, 0.0, 0.0, 0.0])
    way = rng.normal(size=6) * (50.0, 50.0, 0.0, 5.0, 10.0, 5.0)
    slope = cone @ way
    wrench += (1.0 - 1e-9) * way * np.min((-cone @ wrench)[slope > 0.0] / slope[slope > 0.0])
    if margin > 0.02:
        assert hold.complaint(wrench[:3], wrench[3:]) == ""
    if torsional:
        return
    columns = []  # edges of the pyramids at the corners
    for corner, edge in itertools.product(BOTH, BOTH):
        force = np.array([mu * edge[0], mu * edge[1], 1.0])
        place = np.array([*np.multiply(corner, half), 0.0])
        columns.append(np.concatenate((force, np.cross(place, force))))
    found = linprog(np.ones(16), A_eq=np.transpose(columns), b_eq=wrench)
    assert found.status == 0


@each_prioritisation
@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@given(seed=SEEDS, reach=st.sampled_from([0.01, 0.1, 1.0]))
def test_no_contact_is_asked_for_more_than_it_bears(prioritisation, kind, parameters, seed, reach):
    setup = biped(kind, parameters, prioritisation=prioritisation, reach=reach, seed=seed)
    effort = setup.compute()
    for site, wrench in zip(setup.description.contacts, wrenches(setup, effort), strict=True):
        assert site.hold.cone(8, 0.05).beyond(wrench) <= HARD + setup_missing(setup)
        if not setup_missing(setup):
            assert site.hold.complaint(wrench[:3], wrench[3:]) == ""


def setup_missing(setup):
    missing = setup.controller.missing_contact_force.value
    is_told = "are missing within friction" in setup.controller.complaint()
    assert (missing > 0.0) == is_told
    return missing


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@given(seed=SEEDS)
def test_is_the_optimum_of_the_problem_with_forces_as_unknowns(kind, parameters, seed):
    """Accelerations, efforts and wrenches as unknowns, the dynamics as rows, by another solver."""
    setup = biped(kind, parameters, reach=0.1, seed=seed, effort=300.0)
    effort = setup.compute()
    if setup_missing(setup):
        return
    weights = [WEIGHT**-number for number in range(len(setup.compound.levels))]
    expected = whole_problem(setup, weights, limit=300.0, regularisation=REGULARISATION).effort
    np.testing.assert_allclose(effort, expected, atol=1e-6 * (1.0 + np.abs(expected).max()))


@each_prioritisation
@pytest.mark.parametrize("limit", [{"least_normal_force": 260.0}, {"greatest_normal_force": 100.0}])
def test_a_limit_of_the_normal_force_shifts_the_weight_and_is_told(prioritisation, limit):
    """Of one foot alone; both would bear 170 N each."""
    loads = []
    for parameters in ({}, limit):
        setup = biped(FlatContact, SOLE, prioritisation=prioritisation, reach=0.0, seed=3)
        description, first = setup.description, setup.model.constraints.contacts[0]
        for name, value in parameters.items():
            first.parameter(name).set(value)
        first.configure()
        sites = [contact.site for contact in setup.model.constraints.contacts]
        setup.controller.robot = description.with_contacts(sites)
        setup.controller.configure(setup.compound)
        loads.append(wrenches(setup, setup.compute())[0][2])
        assert not setup_missing(setup)
    free, bound = loads
    ((name, value),) = limit.items()
    assert (free < value) == name.startswith("least")
    assert bound == pytest.approx(value, abs=HARD)
    bounds, multipliers = (
        setup.controller.named_bounds(),
        setup.controller.prioritisation.multipliers,
    )
    held = [above.text for (_, above), pull in zip(bounds, multipliers, strict=True) if pull > 0.0]
    assert f"{name.replace('_', ' ')} of contact 'left_sole'" in held


def test_a_contact_on_a_ramp_bears_no_more_than_its_limit():
    """Nor what it shall bear at least once the ramp is over."""
    setup = biped(FlatContact, {**SOLE, "least_normal_force": 60.0}, reach=0.0, seed=3)
    loads = []
    for limit in (np.inf, 25.0):
        setup.model.constraints.contacts[0].normal_force_limit.value = limit
        loads.append(wrenches(setup, setup.compute())[0][2])
        assert not setup_missing(setup)
    settled, ramping = loads
    assert settled >= 60.0 - HARD
    assert 0.0 < ramping <= 25.0 + HARD


@each_prioritisation
def test_contacts_that_shall_bear_more_than_the_joints_give_miss_it(prioritisation):
    heavy = {**SOLE, "least_normal_force": 2000.0}
    setup = biped(FlatContact, heavy, prioritisation=prioritisation, reach=0.0, seed=3, effort=30.0)
    setup.compute()
    assert setup_missing(setup) == pytest.approx(least_missing(setup), rel=1e-6)
    assert setup_missing(setup) > 1000.0


@each_prioritisation
@given(seed=SEEDS)
def test_a_contact_that_is_off_bounds_nothing(prioritisation, seed):
    setup = biped(FlatContact, SOLE, prioritisation=prioritisation, reach=0.05, seed=seed)
    setup.compute()
    setup.model.constraints.contacts[0].operational_state.set(DISABLE)
    state = setup.model.robot_model.state
    setup.update(state)
    effort = setup.compute()
    first, second = wrenches(setup, effort)
    assert not first.any()
    cone = setup.description.contacts[1].hold.cone(8, 0.05)
    assert cone.beyond(second) <= HARD + setup_missing(setup)


@each_prioritisation
def test_where_nothing_holds_the_robot_goes_on_and_says_what_is_missing(prioritisation):
    """Joints too weak to take the weight off feet that would slip under it."""
    found = [
        setup
        for setup in (
            biped(
                PointContact,
                {"friction": 0.01},
                prioritisation=prioritisation,
                reach=1.0,
                seed=s,
                effort=1.0,
            )
            for s in range(20)
        )
        if (setup.compute(), setup_missing(setup))[1]
    ]
    assert found
    for setup in found:
        assert "N are missing within friction" in setup.controller.complaint()
        worst = max(
            site.hold.cone(8, 0.05).beyond(wrench)
            for site, wrench in zip(
                setup.description.contacts, wrenches(setup, setup.command.effort), strict=True
            )
        )
        assert worst == pytest.approx(setup_missing(setup), rel=1e-4)


def least_missing(setup):
    """Return the least missing force within the effort limits, by a linear program."""
    bounds = setup.controller.prioritisation.bounds
    asked = np.isfinite(bounds.row_upper)
    rows, upper = bounds.rows[asked], bounds.row_upper[asked]
    if not len(rows):
        return 0.0
    na = len(bounds.lower)
    found = linprog(
        np.append(np.zeros(na), 1.0),
        A_ub=np.hstack((rows, -np.ones((len(rows), 1)))),
        b_ub=upper,
        bounds=[*zip(bounds.lower, bounds.upper, strict=True), (0.0, None)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert found.status == 0
    return found.fun


DEFAULTS = {"level_weight": 1e5, "regularisation": 1e-9}
SOLVERS = entry_points(group="controlit.qp_solvers")


@each_prioritisation
@pytest.mark.parametrize("solver", sorted(SOLVERS.names))
@example(seed=0, friction=0.5, sole=0.0005, effort=0.5, reach=0.01)  # 407 N are missing
@given(
    seed=SEEDS,
    friction=st.floats(0.01, 0.5),
    sole=st.one_of(st.none(), st.floats(0.0005, 0.015)),
    effort=st.one_of(st.floats(0.5, 5.0), st.floats(5.0, 1e4)),
    reach=st.sampled_from([0.01, 0.1, 1.0]),
)
def test_contacts_yield_as_little_as_can_be_at_the_default_weights(
    prioritisation, solver, seed, friction, sole, effort, reach
):
    """Against linprog, whatever the tasks want; the status of the cycle is that of one solved."""
    skip_without(solver)
    kind, parameters = PointContact, {"friction": friction}
    if sole is not None:
        kind, parameters = FlatContact, {"friction": friction, "half_size": [sole, sole]}
    setup = biped(
        kind,
        parameters,
        prioritisation=prioritisation,
        solver=SOLVERS[solver].load(),
        reach=reach,
        seed=seed,
        effort=effort,
        **DEFAULTS,
    )
    found, expected = setup.compute(), least_missing(setup)
    assert np.isfinite(found).all()
    assert np.abs(found).max() <= effort
    bounds, size = setup.controller.prioritisation.bounds, 1.0 + expected
    longest = np.linalg.norm(bounds.rows, axis=1).max(initial=0.0)
    allowed = 1e-6 * size + WRONG * longest  # what solvers may miss rows by
    assert setup_missing(setup) == pytest.approx(expected, abs=allowed)
    rounding = 1e-6 * (np.abs(bounds.rows) @ np.abs(found))  # DAQP tells in parts of its rows
    beyond = bounds.rows @ found - bounds.row_upper - rounding
    assert beyond.max(initial=0.0) <= expected + 1e-4 * size


def test_contacts_without_friction_are_not_asked():
    setup = biped(FlatContact, {"half_size": SOLE["half_size"]}, reach=1.0, seed=0)
    setup.compute()
    assert setup.controller._cones.count == 0


@each_prioritisation
def test_limits_that_exclude_each_other_are_an_error_all_the_same(prioritisation):
    setup = biped(
        FlatContact,
        SOLE,
        prioritisation=prioritisation,
        reach=0.1,
        seed=1,
        limit_horizon=0.05,
        effort=1e-3,
    )
    state = setup.model.robot_model.state
    state.velocity[0] = 100.0
    setup.update(state)
    with pytest.raises(QPError, match="cannot be kept within its limit of velocity"):
        setup.compute()


@each_prioritisation
@pytest.mark.parametrize("friction", [1e-300, 1e-9, 1e9, 1e30])
@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e9, 1e30])
def test_absurd_numbers_lead_to_no_error(prioritisation, friction, size):
    parameters = {"friction": friction, "half_size": [size, size], "torsional_friction": size}
    setup = biped(FlatContact, parameters, prioritisation=prioritisation, reach=0.1, seed=2)
    assert np.isfinite(setup.compute()).all()
