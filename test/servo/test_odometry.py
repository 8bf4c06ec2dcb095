"""Odometry: the base is where the newest message says, and without messages nothing moves."""

import math

import numpy as np
import pytest
from rig import Rig

from controlit_ros.model import RobotState
from controlit_ros.servo import CoordinatorState, Odometry

INACTIVE, ACTIVE, SAFE = CoordinatorState
TURNED = (0.0, 0.0, math.sin(0.2), math.cos(0.2))


def tell(rig, odometry, x, orientation=TURNED):
    rig.mailbox.post(
        {
            odometry.position: [x, 2.0, 3.0],
            odometry.orientation: orientation,
            odometry.linear_velocity: [0.1, 0.2, 0.3],
            odometry.angular_velocity: [0.4, 0.5, 0.6],
        }
    )


def run(rig, odometry, cycles, x=1.0):
    for _ in range(cycles):
        tell(rig, odometry, x)
        rig.run(1)


@pytest.fixture
def odometry():
    return Odometry(0.05)


@pytest.fixture
def rig(odometry):
    return Rig(odometry=odometry, soft_start_time=0.0)


def test_the_base_is_where_odometry_says(rig, odometry):
    run(rig, odometry, 3)
    state = rig.coordinator.robot_state
    np.testing.assert_array_equal(state.base_position, (1.0, 2.0, 3.0))
    np.testing.assert_allclose(state.base_orientation, TURNED, atol=1e-15)
    np.testing.assert_array_equal(state.base_velocity, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))


def test_control_begins_only_with_odometry_and_on_a_model_of_it(rig, odometry):
    rig.activate(200)
    assert rig.state is INACTIVE
    assert rig.errors == ["no odometry yet, expected within 0.05 s"]
    run(rig, odometry, 2)
    assert rig.state is ACTIVE
    np.testing.assert_array_equal(rig.models.active.robot_model.state.base_position[0], 1.0)


def test_lost_odometry_leads_to_the_safe_state_and_back_on_a_new_model(rig, odometry):
    rig.coordinator.request_activation()
    run(rig, odometry, 1100)  # what was said at the start may be said again
    assert rig.state is ACTIVE
    rig.errors.clear()
    rig.run(45)
    assert rig.state is ACTIVE
    rig.run(10)
    assert rig.state is SAFE
    (text,) = rig.errors
    assert text.startswith("no odometry for 0.05")
    assert text.endswith("expected within 0.05 s")
    run(rig, odometry, 2, x=1.04)  # less than the bound of staleness
    np.testing.assert_array_equal(rig.models.active.robot_model.state.base_position[0], 1.04)
    run(rig, odometry, 110, x=1.04)
    assert rig.state is ACTIVE


def test_what_was_told_before_a_restart_does_not_count(rig, odometry):
    run(rig, odometry, 5)
    rig.clock.stop()
    rig.clock.start(rig.coordinator)
    rig.activate(20)
    assert rig.state is INACTIVE


def test_orientations_are_normalised():
    odometry, state = Odometry(1.0), RobotState(("a",))
    odometry.orientation.set((0.0, 0.0, 0.0, 1.001))
    odometry.take_over(state, 0.0)
    np.testing.assert_array_equal(state.base_orientation, (0.0, 0.0, 0.0, 1.0))
