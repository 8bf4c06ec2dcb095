"""Full, reduced and condensed are one problem, and the servo's kernels solve it."""

import numpy as np
import pytest
from contact_oracles import PointContact, solve
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import REPOSITORY, SEEDS, configured, keep_constraints, random_robots
from test_contact_cones import LOADED, REGULARISATION, SOLE, WEIGHT, biped, setup_missing
from test_wbosc import Setup, random_setup
from whole_problem import posed, whole_problem

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.optimisation import (
    Formulation,
    contact_wrench_functions,
    formulated,
)
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.orientation_3d import Orientation3D

pytestmark = pytest.mark.thorough

CLOSE = 1e-6
NOBODY_KNOWS = {"half_size": SOLE["half_size"]}
KINDS = [
    (FlatContact, SOLE),
    (FlatContact, LOADED),
    (FlatContact, NOBODY_KNOWS),
    (PointContact, {"friction": 0.4}),
]
ALL = list(Formulation)


def close(found, expected):
    scale = 1.0 + np.abs(expected).max(initial=0.0)
    np.testing.assert_allclose(found, expected, atol=CLOSE * scale)


def weights(setup):
    return [WEIGHT**-number for number in range(len(setup.compound.levels))]


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@given(seed=SEEDS, reach=st.sampled_from([0.01, 0.1]))
def test_all_have_one_optimum_which_the_servo_finds(kind, parameters, seed, reach):
    setup = biped(kind, parameters, reach=reach, seed=seed, effort=300.0)
    effort = setup.compute()
    assume(not setup_missing(setup))
    given_ = {"limit": 300.0, "regularisation": REGULARISATION}
    full, *others = (
        whole_problem(setup, weights(setup), formulation=formulation, **given_)
        for formulation in ALL
    )
    for other in others:
        close(other.effort, full.effort)
        close(other.acceleration, full.acceleration)
        close(other.reaction, full.reaction)
    close(effort, full.effort)


@given(robot=random_robots(min_joints=3, floating=True), seed=SEEDS, limit=st.floats(1.0, 100.0))
def test_so_they_have_for_random_robots_and_tasks(robot, seed, limit):
    setup, rng = random_setup(robot, 3 * seed + 1)  # contacts whose rows are independent
    setup.update(setup.consistent_state(rng))
    setup.controller = controller = WholeBodyQP(setup.description, setup.controller.max_rows)
    setup.controller.singularity_handling.set("truncate")
    controller.prioritisation = Weighted()
    controller.level_weight.set(WEIGHT)
    controller.regularisation.set(REGULARISATION)
    limits = np.full(len(setup.description.command_joints), limit)
    controller.limits = controller.limits._replace(effort=limits)
    controller.configure(setup.compound)
    effort = setup.compute()
    for formulation in ALL:
        found = whole_problem(
            setup,
            weights(setup),
            limit=limit,
            regularisation=REGULARISATION,
            formulation=formulation,
        )
        close(effort, found.effort)


@given(seed=SEEDS)
def test_limits_of_joints_are_the_same(seed):
    setup = biped(FlatContact, SOLE, reach=0.02, seed=seed, effort=300.0, limit_horizon=0.1)
    setup.model.robot_model.state.velocity[:] *= 0.1
    setup.update(setup.model.robot_model.state)
    effort = setup.compute()
    assume(not setup_missing(setup))
    state, limits = setup.model.robot_model.state, setup.controller.limits
    q, v = (
        values[setup.description.command_indices] for values in (state.position, state.velocity)
    )
    fastest, slowest = ((sign * limits.velocity - v) / 0.1 for sign in (1.0, -1.0))
    up, down = ((end - q) / 0.01 - 20.0 * v for end in (limits.upper, limits.lower))
    within = np.clip(down, slowest, fastest), np.clip(up, slowest, fastest)
    for formulation in ALL:
        found = whole_problem(
            setup,
            weights(setup),
            limit=300.0,
            regularisation=REGULARISATION,
            accelerations=within,
            formulation=formulation,
        )
        close(effort, found.effort)


@given(seed=SEEDS)
def test_any_effort_moves_the_robot_alike_and_keeps_dynamics_and_contacts(seed):
    """The functions themselves, whatever is wanted: residuals are those of rounding."""
    rng = np.random.default_rng(seed)
    setup = biped(FlatContact, SOLE, reach=0.1, seed=seed)
    model, none = setup.model, CompoundTask([], setup.description.nv)
    effort = rng.normal(size=len(setup.command.effort)) * 50.0
    condensed, reduced, full = (
        formulated(formulation, model, none, 1.0) for formulation in reversed(ALL)
    )
    x = condensed.variables
    acceleration, reaction = x.acceleration(effort), x.reaction(effort)
    assert reduced.violation(np.concatenate((effort, reaction))) < 1e-8
    assert full.violation(np.concatenate((acceleration, effort, reaction))) < 1e-8
    close(reduced.variables.acceleration(np.concatenate((effort, reaction))), acceleration)
    wrench = np.zeros((2, 6))
    model.write_contact_wrenches(effort, wrench)
    for (contact, function), found in zip(contact_wrench_functions(model, x), wrench, strict=True):
        axes = contact.axes(model.robot_model)
        close(function(effort), np.concatenate((found[:3] @ axes, found[3:] @ axes)))


@given(seed=SEEDS)
def test_the_kernels_write_the_matrices_of_the_condensed_problem(seed):
    """Not only its optimum: Hessian and gradient up to their factor, and every row of a contact."""
    setup = biped(FlatContact, LOADED, reach=0.1, seed=seed, effort=300.0)
    setup.compute()
    program = posed(
        setup,
        weights(setup),
        limit=300.0,
        regularisation=REGULARISATION,
        formulation=Formulation.CONDENSED,
    ).assembled()
    bounds = setup.controller.prioritisation.bounds
    na = len(bounds.lower)
    close(bounds.rows, program.rows[na:])
    finite = np.isfinite(bounds.row_upper)
    close(bounds.row_upper[finite], program.upper[na:][finite])
    assert np.isinf(program.upper[na:][~finite]).all()
    solver = setup.controller.qp_solver
    factor = np.trace(solver.hessian) / np.trace(program.hessian)
    close(solver.hessian, factor * program.hessian)
    close(solver.gradient, factor * program.gradient)


def trikey(friction, far, seed, **parameters):
    """Return the base on three omni wheels in motion, told to go far."""
    plain = RobotDescription((REPOSITORY / "urdf" / "trikey.urdf").read_text())
    wheels = [
        configured(
            OmniWheelContact(f"Wheel{i}", plain),
            body=f"wheel_{i}",
            wheel_axis=[0, 0, 1],
            radius=0.1,
            friction=friction,
        )
        for i in (1, 2, 3)
    ]
    description = plain.with_contacts([wheel.site for wheel in wheels])
    position = CartesianPosition("position", description)
    gains = {"body": "base_link", "kp": 40.0, "kd": 9.0}
    tasks = [
        configured(position, goal_position=[far, -far, 0.1], **gains),
        configured(Orientation3D("heading", description), **gains),
    ]
    setup = Setup(description, wheels, tasks)
    setup.model.constraints.with_reactions = True
    state = RobotState(description.real_joints, contacts=3)
    state.base_position[2] = 0.1
    state.velocity[:] = np.random.default_rng(seed).normal(size=3)
    setup.model.update(state)
    keep_constraints(state, setup.model.Jc)
    setup.controller = WholeBodyQP(description, setup.controller.max_rows)
    setup.controller.singularity_handling.set("truncate")
    chosen = {"level_weight": WEIGHT, "regularisation": REGULARISATION, **parameters}
    for name, value in chosen.items():
        setup.controller.parameter(name).set(value)
    setup.controller.limits = setup.controller.limits._replace(effort=np.full(3, 1e3))
    setup.controller.configure(setup.compound)
    setup.update(state)
    return setup


@given(seed=SEEDS, friction=st.floats(0.05, 1.0), far=st.sampled_from([0.1, 1.0, 10.0]))
def test_omni_wheels_do_not_slip_across_their_rollers(seed, friction, far):
    """Their cone is a line; the reactions are those of one linear system."""
    setup = trikey(friction, far, seed)
    effort = setup.compute()
    assume(not setup_missing(setup))
    _, reactions = solve(setup.model, effort)
    along, normal = reactions[1::2], reactions[::2]
    weight = 9.81 * sum(inertia.mass for inertia in setup.description.pinocchio.inertias)
    assert normal.sum() == pytest.approx(weight, rel=1e-6)
    assert (np.abs(along) <= 0.95 * friction * normal + 1e-6).all()
    if far > 5.0 and friction < 0.2:
        assert (np.abs(along) > 0.95 * friction * normal - 1e-3).any()
    found = whole_problem(setup, weights(setup), limit=1e3, regularisation=REGULARISATION)
    close(effort, found.effort)
