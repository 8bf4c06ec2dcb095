"""Forces between contacts under quadratic programs: as much as limits and friction leave."""

import numpy as np
from contact_oracles import biped_in_contact, solve, standing
from hypothesis import given
from prioritisations import each_prioritisation
from robots_for_tests import SEEDS, configured, keep_constraints
from test_contact_cones import SOLE, setup_missing
from test_wbosc import Setup
from test_whole_body_qp import quadratic

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.internal_force import InternalForce
from controlit_ros.tasks.joint_position import JointPosition

TENSION = [25.0, 1.0, -2.0, 1.5]


def standing_biped(prioritisation, seed, *, tension, effort=1e4, **contact):
    """Return a biped that squeezes or does not, its effort and what its contacts bear."""
    description, constraints, _ = biped_in_contact(FlatContact, **contact)
    gains = {"body": "pelvis", "kp": 20.0, "kd": 5.0, "priority": 1}
    tasks = [
        configured(CartesianPosition("pelvis", description), **gains),
        configured(JointPosition("posture", description), kp=20.0, kd=5.0),
        configured(InternalForce("squeeze", description), contacts=["left_sole", "right_sole"]),
    ]
    state = standing(description)
    setup = Setup(description, constraints.constraints, tasks)
    setup.model.constraints.with_reactions = True
    rng = np.random.default_rng(seed)
    state.position[:] += rng.uniform(-0.1, 0.1, len(state.position))
    state.velocity[:] = 0.1 * rng.normal(size=len(state.velocity))
    setup.model.update(state)
    keep_constraints(state, setup.model.Jc)
    setup.update(state)
    tasks[0].latch_goal()
    tasks[2].goal.set(tension)
    setup.compute()
    setup.controller = quadratic(setup, prioritisation, effort=effort)
    effort = setup.compute()
    return setup, effort, solve(setup.model, effort)


@each_prioritisation
@given(seed=SEEDS)
def test_a_tension_comes_out_and_moves_nothing(prioritisation, seed):
    _, rest, (still, before) = standing_biped(prioritisation, seed, tension=np.zeros(4))
    setup, effort, (motion, after) = standing_biped(prioritisation, seed, tension=TENSION)
    np.testing.assert_allclose(motion, still, atol=1e-5 * (1.0 + np.abs(still).max()))
    assert np.abs(effort - rest).max() > 1.0
    change, model = after - before, setup.model.robot_model
    sites = setup.description.contacts
    points = [model.placement(site.frame).act(site.point) for site in sites]
    line = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    np.testing.assert_allclose(change[:3], -TENSION[0] * line, atol=1e-3)
    np.testing.assert_allclose(change[6:9], TENSION[0] * line, atol=1e-3)
    np.testing.assert_allclose(change[9:], TENSION[1:], atol=1e-3)


@given(seed=SEEDS)
def test_friction_leaves_no_more_of_a_tension_than_the_contacts_bear(seed):
    setup, effort, _ = standing_biped(Weighted, seed, tension=[3e3, 0.0, 0.0, 0.0], **SOLE)
    if setup_missing(setup):
        return
    wrenches = np.zeros((len(setup.description.contacts), 6))
    setup.model.write_contact_wrenches(effort, wrenches)
    for contact, site, wrench in zip(
        setup.model.constraints.contacts, setup.description.contacts, wrenches, strict=True
    ):
        axes = contact.axes(setup.model.robot_model)
        local = np.concatenate([axes.T @ wrench[:3], axes.T @ wrench[3:]])
        assert site.hold.cone(8, 0.0).beyond(local) < 1e-6


@given(seed=SEEDS)
def test_effort_limits_hold(seed):
    _, effort, _ = standing_biped(Weighted, seed, tension=[1e5, 0.0, 0.0, 0.0], effort=80.0)
    assert np.abs(effort).max() <= 80.0
