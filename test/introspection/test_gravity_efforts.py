"""What joints need against gravity, computed without the motion, beside Pinocchio's."""

import numpy as np
import pinocchio as pin
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import configuration, dreamer, random_robots, random_state

from controlit_ros.introspection.diagnostics_topics import gravity_efforts, posture
from controlit_ros.model import RobotDescription, RobotModel


def assert_is_gravity_alone(robot, rng):
    state = random_state(robot, rng, speed=3.0)
    computed = gravity_efforts(RobotModel(robot))
    computed.memory[computed.places] = np.concatenate(posture(state))
    found = computed.of()
    data = robot.pinocchio.createData()
    whole = pin.computeGeneralizedGravity(robot.pinocchio, data, configuration(robot, state))
    scale = 1.0 + np.abs(whole).max()
    np.testing.assert_allclose(found, whole[6:], rtol=0.0, atol=1e-12 * scale)


def test_it_is_gravity_alone_however_fast_a_robot_moves(rng):
    robot = dreamer()
    for _ in range(20):
        assert_is_gravity_alone(robot, rng)


@given(random_robots(), st.integers(0, 2**32 - 1))
def test_it_is_so_for_any_tree(robot, seed):
    assert_is_gravity_alone(RobotDescription(robot.urdf), np.random.default_rng(seed))
