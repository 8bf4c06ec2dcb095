"""Jacobian and bias of every constraint, by finite differences of what it holds still."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import (
    SEEDS,
    configuration,
    configured,
    moved,
    random_robots,
    random_state,
    updated,
    velocity,
)

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.parameters import ParameterError

EPSILON = 1e-6


def rows(constraint, model):
    jacobian = np.full((constraint.dimension, model.v.size), np.nan)
    bias = np.full(constraint.dimension, np.nan)
    constraint.update(model, jacobian, bias)
    return jacobian, bias


def placement(description, state, link):
    model = description.pinocchio
    data = model.createData()
    pin.framesForwardKinematics(model, data, configuration(description, state))
    return data.oMf[model.getFrameId(link, pin.FrameType.BODY)]


@pytest.mark.parametrize("kind", [FlatContact, PointContact])
@given(robot=random_robots(), seed=SEEDS)
def test_contacts(kind, robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    v = velocity(description, state)
    link, point = rng.choice(robot.links), rng.uniform(-0.5, 0.5, 3)
    contact = configured(kind("foot", description), body=link, contact_point=point)
    jacobian, bias = rows(contact, updated(description, state))
    for column, step in enumerate(EPSILON * np.eye(description.nv)):
        after = placement(description, moved(description, state, step), link)
        before = placement(description, moved(description, state, -step), link)
        linear = (after.act(point) - before.act(point)) / (2 * EPSILON)
        np.testing.assert_allclose(jacobian[:3, column], linear, atol=1e-7)
        if kind is FlatContact:
            turn = pin.log3(after.rotation @ before.rotation.T) / (2 * EPSILON)
            np.testing.assert_allclose(jacobian[3:, column], turn, atol=1e-7)
    ahead, _ = rows(contact, updated(description, moved(description, state, EPSILON * v)))
    behind, _ = rows(contact, updated(description, moved(description, state, -EPSILON * v)))
    np.testing.assert_allclose(bias, (ahead - behind) @ v / (2 * EPSILON), atol=1e-6)


@given(
    robot=random_robots(),
    seed=SEEDS,
    exponent=st.floats(-3.0, 0.0),
    is_level=st.booleans(),
)
def test_a_ball_rolls(robot, seed, exponent, is_level):
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    v = velocity(description, state)
    link, center, radius = rng.choice(robot.links), rng.uniform(-0.5, 0.5, 3), 10.0**exponent
    normal = np.array([0.0, 0.0, 1.0]) if is_level else rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    contact = configured(
        PointContact("foot", description),
        body=link,
        contact_point=center,
        radius=radius,
        ground_normal=normal,
    )
    model = updated(description, state)
    jacobian, bias = rows(contact, model)
    here = placement(description, state, link)
    bottom = here.act(center) - radius * normal
    touching = here.actInv(bottom)  # the material that touches now
    np.testing.assert_allclose(contact.update_point(model).position, bottom, atol=1e-9)
    for column, step in enumerate(EPSILON * np.eye(description.nv)):
        after = placement(description, moved(description, state, step), link)
        before = placement(description, moved(description, state, -step), link)
        slip = (after.act(touching) - before.act(touching)) / (2 * EPSILON)
        np.testing.assert_allclose(jacobian[:, column], slip, atol=1e-7)
    ahead, _ = rows(contact, updated(description, moved(description, state, EPSILON * v)))
    behind, _ = rows(contact, updated(description, moved(description, state, -EPSILON * v)))
    np.testing.assert_allclose(bias, (ahead - behind) @ v / (2 * EPSILON), atol=1e-6)


def test_a_contact_stands_on_the_root_link_unless_told_otherwise(dreamer_description):
    contact = configured(FlatContact("base", dreamer_description))
    assert contact.body.value == "base_link"
    assert contact.parent_joint == "root_joint"
    hand = configured(PointContact("hand", dreamer_description), body="left_wrist_yaw_link")
    assert hand.parent_joint == "left_wrist_yaw"
    assert (contact.dimension, hand.dimension) == (6, 3)


def test_an_unknown_body_is_reported(dreamer_description):
    with pytest.raises(ParameterError, match=r"foot\.body: unknown body 'bas_link'.*base_link"):
        configured(FlatContact("foot", dreamer_description), body="bas_link")


def test_the_contact_point_may_change_at_run_time(dreamer_description, rng):
    contact = configured(PointContact("hand", dreamer_description), body="left_wrist_yaw")
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    before, _ = rows(contact, model)
    contact.contact_point.set([0.1, 0.0, 0.0])
    after, _ = rows(contact, model)
    rotation = model.placement(dreamer_description.frame_id("left_wrist_yaw")).rotation
    turn = model.jacobian(dreamer_description.frame_id("left_wrist_yaw"))[3:]
    arm = rotation @ [0.1, 0.0, 0.0]
    np.testing.assert_allclose(after - before, np.cross(turn, arm, axis=0), atol=1e-12)
