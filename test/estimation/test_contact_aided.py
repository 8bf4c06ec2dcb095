"""Where the filter begins: the tilt of a robot whose unit is biased."""

import math

import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import DETERMINISTIC

from controlit_ros.nodes.building import load_stack

BIAS = 0.1  # [m/s²] along x and y each
FELT = math.sqrt(2.0) * BIAS / 9.81  # [rad] that gravity then seems to lean
WEIGHT = 450.0  # [N] on a sole

pytestmark = needs_example_robots


@pytest.fixture(scope="module")
def stack():
    return load_stack(REPOSITORY / "config" / "talos" / "walk.yaml", DETERMINISTIC)


def measured(stack, force):
    """Return what a robot measures that stands upright, its soles bearing a force each."""
    state = stack.robot.create_state()
    state.position[:] = stack.start.position
    state.imu[:] = (0.0, 0.0, 0.0, BIAS, BIAS, 9.81)
    state.sensed_wrench[:] = (0.0, 0.0, force, 0.0, 0.0, 0.0)
    return state


def tilt_of(state):
    x, y = state.base_orientation[:2]
    return 2.0 * math.asin(math.hypot(x, y))


def first_tilt(stack, level_ground, force=WEIGHT):
    """Return by how much the first estimate of a robot that stands upright leans [rad]."""
    estimator, state = stack.estimator, measured(stack, force)
    estimator.parameters["level_ground"].set(level_ground)
    estimator.begin()
    assert estimator.estimate(state, 0.0) == ""
    return tilt_of(state)


def test_soles_on_level_ground_tell_the_tilt(stack):
    assert first_tilt(stack, 0.03) < math.radians(0.05)


@pytest.mark.parametrize(("level_ground", "force"), [(0.0, WEIGHT), (0.03, 0.0)])
def test_without_them_gravity_does(stack, level_ground, force):
    assert first_tilt(stack, level_ground, force) == pytest.approx(FELT, abs=1e-3)


def test_what_soles_told_is_kept_against_a_biased_unit(stack):
    first_tilt(stack, 0.03)
    state = measured(stack, WEIGHT)
    for _ in range(1000):
        assert stack.estimator.estimate(state, 1e-3) == ""
    assert tilt_of(state) < 0.6 * FELT
