"""Momentum: its map and rate against Pinocchio and against motion, and what leads it."""

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

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.centroidal_momentum import CentroidalMomentum

STEP = 1e-6  # [s]


def sensed(description, state):
    task = configured(CentroidalMomentum("momentum", description))
    task.update(updated(description, state), task.inactive)
    task.swap()
    return task


@given(robot=random_robots(), seed=SEEDS, speed=st.sampled_from([0.0, 1.0, 30.0]))
def test_map_and_rate_are_those_of_pinocchio(robot, seed, speed):
    description = robot.description()
    state = random_state(description, np.random.default_rng(seed), speed=speed)
    task = sensed(description, state)
    model = description.pinocchio
    data, q = model.createData(), configuration(description, state)
    v = velocity(description, state)
    rate = pin.dccrba(model, data, q, v) @ v
    mass = pin.computeTotalMass(model)
    size = 1.0 + np.abs(data.Ag).max()
    np.testing.assert_allclose(mass * task.active.jacobian, data.Ag, atol=1e-10 * size)
    np.testing.assert_allclose(mass * task.active.bias, rate, atol=1e-10 * (size + speed**2 * size))
    np.testing.assert_allclose(task.active.actual, data.Ag @ v, atol=1e-10 * size * (1.0 + speed))


@given(robot=random_robots(), seed=SEEDS)
def test_the_rate_is_that_of_motion(robot, seed):
    """The momentum a little later, under any acceleration."""
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    v, a = velocity(description, state), rng.normal(size=description.nv)
    task = sensed(description, state)
    rate = task.active.jacobian @ a + task.active.bias

    def momentum(step):
        later = moved(description, state, step * v, v + step * a)
        return sensed(description, later).active.velocity.copy()

    slope = (momentum(STEP) - momentum(-STEP)) / (2.0 * STEP)
    np.testing.assert_allclose(rate, slope, atol=1e-6 * (1.0 + np.abs(rate).max()))


@given(robot=random_robots(), seed=SEEDS)
def test_joints_that_are_coupled_by_their_transmission_alone_change_nothing(robot, seed):
    if len(robot.moving) < 2:
        return
    plain = robot.description()
    coupled = robot.description(coupled_joint_groups=(robot.moving[:2],))
    state = random_state(plain, np.random.default_rng(seed))
    one, other = (sensed(description, state).active for description in (plain, coupled))
    np.testing.assert_array_equal(one.jacobian, other.jacobian)


@pytest.mark.parametrize("wrong", [[np.inf] * 6, [1.0] * 5, "fast", {"w": 1.0}])
def test_a_goal_that_is_none_is_refused(wrong, dreamer_description):
    task = CentroidalMomentum("momentum", dreamer_description)
    with pytest.raises(ParameterError, match=r"momentum\.goal_momentum"):
        task.goal.set(wrong)
