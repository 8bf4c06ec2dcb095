"""Contacts bear a robot at rest where its centre of mass is above them."""

import math

import numpy as np
import pytest
from contact_oracles import FOOT, PointContact, biped_in_contact, standing
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.contact_support import ContactSupport
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.tasks import DISABLE
from controlit_ros.tasks.compound_task import CompoundTask

HALF = [FOOT[0] / 2, FOOT[1] / 2]
SOLE = {"friction": 0.9, "half_size": HALF}


def biped(kind, **parameters):
    description, constraints, model = biped_in_contact(kind, **parameters)
    support = ContactSupport(description, 8, 0.0, DAQP())
    return description, constraints, model, support


def missing(model, support, *without):
    none = CompoundTask([], model.robot_model.description.nv)
    return support.missing(model, none, np.isin(np.arange(2), without))


@given(SEEDS, st.sampled_from([0, 1]))
def test_one_sole_bears_what_is_above_it(seed, other):
    """Feet are level; so the geometry of the support polygon decides."""
    rng = np.random.default_rng(seed)
    description, constraints, model, support = biped(FlatContact, **SOLE)
    state = standing(description)
    side = ("left", "right")[other]  # whose leg moves: it is in the air then
    for i, name in enumerate(description.real_joints):
        if name.startswith(side):
            state.position[i] += rng.uniform(-0.8, 0.8)
    tilt = rng.uniform(-0.25, 0.25, 2)
    for joint, turn in zip(("ankle_roll", "ankle_pitch"), tilt, strict=True):
        held = ("right", "left")[other]
        state.position[list(description.real_joints).index(f"{held}_{joint}")] += turn
    model.update(state)
    robot = model.robot_model
    sole = robot.placement(constraints.contacts[1 - other].site.frame)
    # gravity turns with the sole, as if the ground under it were level
    upright = sole.rotation
    assume(abs(upright[2, 2]) > 0.95)
    point = sole.act(constraints.contacts[1 - other].contact_point.value)
    arm = upright.T @ (robot.center_of_mass().position - point)
    down = upright.T @ np.array([0.0, 0.0, -1.0])
    center = arm[:2] - down[:2] * arm[2] / down[2]
    room = np.min(np.array(HALF) - np.abs(center))
    assume(abs(room) > 1e-4)
    assert (missing(model, support, other) < 1e-3) == (room > 0.0)


def test_two_feet_bear_what_one_does_not_and_none_bears_nothing():
    description, constraints, model, support = biped(FlatContact, **SOLE)
    model.update(standing(description))
    assert missing(model, support) < 1e-3
    assert missing(model, support, 0) > 10.0
    assert missing(model, support, 0, 1) == math.inf
    constraints.contacts[0].operational_state.set(DISABLE)
    model.update(standing(description))
    assert missing(model, support) > 10.0  # what is off bears nothing, either


def test_a_foot_bears_no_more_than_it_shall():
    description, _, model, support = biped(FlatContact, **SOLE, greatest_normal_force=100.0)
    model.update(standing(description))
    mass = sum(inertia.mass for inertia in description.pinocchio.inertias)
    assert missing(model, support) == pytest.approx(9.81 * mass / 2 - 100.0, rel=1e-3)


def test_points_bear_no_moments():
    description, _, model, support = biped(PointContact, friction=0.9)
    state = standing(description)
    model.update(state)
    com = model.robot_model.center_of_mass().position
    assert abs(com[0]) > 1e-6  # not on the line between the two
    assert missing(model, support) > 0.0
