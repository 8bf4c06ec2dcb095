"""Each sole is found with its sensor and the joints that carry it."""

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import DETERMINISTIC

from controlit_ros.nodes.building import load_stack
from controlit_ros.servo.footing import RECENT, Footing

WEIGHT = 900.0  # [N]
PERIOD = 0.01  # [s]

pytestmark = needs_example_robots


@pytest.fixture(scope="module")
def robot():
    return load_stack(REPOSITORY / "config" / "talos" / "walk.yaml", DETERMINISTIC).robot


def pressed(robot, contact, x, y):
    """Return a state in which a sole presses so far off its middle [m], and the other stands."""
    state = robot.create_state()
    state.sensed_wrench[:, 2] = WEIGHT
    names = [sensor.contact for sensor in robot.sensors]
    state.sensed_wrench[names.index(contact)] = (0.0, 0.0, WEIGHT, y * WEIGHT, -x * WEIGHT, 0.0)
    return state


def unsure(robot, footing, now, state=None):
    found = footing.unsure(state or robot.create_state(), now)
    return {
        joint for joint, is_unsure in zip(robot.command_joints, found, strict=True) if is_unsure
    }


@pytest.mark.parametrize(("contact", "leg"), [("LeftSole", "left"), ("RightSole", "right")])
@pytest.mark.parametrize("edge", [(0.1, 0.0), (-0.1, 0.0), (0.0, 0.063), (0.0, -0.063)])
def test_a_sole_that_presses_with_an_edge_makes_its_leg_unsure_for_a_while(
    robot, contact, leg, edge
):
    footing = Footing.of(robot)
    footing.look(pressed(robot, contact, 0.0, 0.0), 0.0)
    assert not unsure(robot, footing, 0.0)
    footing.look(pressed(robot, contact, *edge), 1.0)
    footing.look(pressed(robot, contact, 0.0, 0.0), 1.0 + PERIOD)
    joints = {f"leg_{leg}_{number}_joint" for number in range(1, 7)}
    assert unsure(robot, footing, 1.0 + PERIOD) == joints
    assert not unsure(robot, footing, 1.0 + RECENT + PERIOD)


@pytest.mark.parametrize(("tilt", "falls"), [(0.4, False), (0.6, True), (3.0, True)])
def test_nothing_is_unsure_of_a_robot_that_falls(robot, tilt, falls):
    footing = Footing.of(robot)
    state = pressed(robot, "LeftSole", 0.1, 0.0)
    about_z = pin.Quaternion(pin.utils.rotate("z", 1.0))
    lean = pin.Quaternion(pin.utils.rotate("x", tilt))
    state.base_orientation[:] = (about_z * lean).coeffs()
    footing.look(state, 1.0)
    assert bool(unsure(robot, footing, 1.0, state)) != falls


def test_nothing_is_unsure_of_what_nobody_senses(robot):
    footing = Footing.of(robot)
    state = robot.create_state()
    state.sensed_wrench.fill(np.nan)
    footing.look(state, 0.0)
    assert not unsure(robot, footing, 0.0)


def test_it_forgets_when_time_begins_anew(robot):
    footing = Footing.of(robot)
    footing.look(pressed(robot, "LeftSole", 0.1, 0.0), 5.0)
    footing.begin()
    assert not unsure(robot, footing, 5.0)
