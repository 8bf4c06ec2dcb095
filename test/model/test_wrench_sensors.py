"""What is sensed at contacts, in the model: against Pinocchio's forces and placements."""

import numpy as np
import pinocchio as pin
import pytest
from contact_oracles import biped_in_contact
from robots_for_tests import random_state

from controlit_ros.model import RobotModel, RobotState

POINT = np.array([0.0, 0.0, -0.02])


@pytest.fixture
def sensed():
    """A biped whose left foot has a sensor, and its contacts."""
    description, constraints, _ = biped_in_contact()
    left, right = description.contacts
    return description.with_contacts([right, left._replace(is_sensed=True)]), constraints.contacts


def state_of(description, rng):
    state = RobotState(description.real_joints, sensors=1, contacts=2)
    state.copy_from(random_state(description, rng))
    state.contact_wrench[:] = rng.normal(size=(2, 6))
    return state


@pytest.mark.parametrize("shift", [np.zeros(3), np.array([0.05, -0.02, 0.01])])
def test_it_comes_in_the_world_about_the_present_contact_point(sensed, rng, shift):
    description, (left, _) = sensed
    model = RobotModel(description)
    state = state_of(description, rng)
    state.sensed_wrench[0] = rng.normal(size=6)
    left.contact_point.set(POINT + shift)  # after the sensor was placed
    model.update(state)
    foot = model.placement(description.frame_id("left_foot"))
    there = foot * pin.SE3(np.eye(3), POINT)
    wanted = pin.SE3(np.eye(3), foot.act(POINT + shift))
    oracle = wanted.actInv(there.act(pin.Force(state.sensed_wrench[0])))
    np.testing.assert_allclose(model.state.contact_wrench[1], oracle.vector, atol=1e-12)
    np.testing.assert_array_equal(model.state.contact_wrench[0], state.contact_wrench[0])
    assert model.is_sensed.tolist() == [False, True]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_it_counts_as_a_whole_or_not_at_all(sensed, rng, bad):
    description, _ = sensed
    model = RobotModel(description)
    state = state_of(description, rng)
    state.sensed_wrench[0] = rng.normal(size=6)
    model.update(state)
    assert model.is_sensed[1]
    for i in range(6):
        state.sensed_wrench[0] = 1.0
        state.sensed_wrench[0, i] = bad
        model.update(state)
        np.testing.assert_array_equal(model.state.contact_wrench, state.contact_wrench)
        assert not model.is_sensed.any()


def test_a_sensor_knows_its_link_and_what_is_fixed_to_it():
    plain, _, _ = biped_in_contact()
    joint = plain.contacts[0]._replace(frame=plain.frame_id("left_ankle_roll"), is_sensed=True)
    (sensor,) = plain.with_contacts([joint]).sensors
    assert (sensor.contact, sensor.link) == ("left_sole", "left_foot")
    assert sensor.point == (0.0, 0.0, -0.02)
    assert [mount.link for mount in sensor.mounts] == ["left_foot"]
    assert not plain.sensors
