"""How a sole is turned on ground that slopes."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.kernels import sole_goal
from controlit_ros.locomotion.sole_turn import (
    LEAST_SLOPE,
    LEVEL,
    STEEPEST,
    slope_under,
    yaw_on,
)

TINY = 1e-5  # [s]


def axes(orientation):
    return pin.Quaternion(*np.roll(orientation, 1)).matrix()


def turned(motion):
    """Return orientation, angular velocity and its rate of a sole, from yaw and slope `(3, 3)`."""
    goal = np.zeros((3, 7))
    sole_goal(np.hstack((np.zeros((3, 3)), motion)), goal)
    return goal[0, 3:], goal[1, 3:6], goal[2, 3:6]


def a_motion(rng, steepest=0.6 * STEEPEST):
    """Return how yaw and slope are at a time, anything that moves."""
    yaw, along, across = rng.uniform(-3.0, 3.0), *rng.uniform(-steepest, steepest, 2)
    start, rates, changes = np.array([yaw, along, across]), *rng.normal(size=(2, 3))

    def at(time):
        place = start + rates * time + 0.5 * changes * time**2
        return np.array([place, rates + changes * time, changes])

    return at


@given(SEEDS)
def test_a_sole_lies_on_the_slope_and_looks_where_its_yaw_says(seed):
    rng = np.random.default_rng(seed)
    motion = a_motion(rng)(0.0)
    yaw, *slope = motion[0]
    R = axes(turned(motion)[0])
    for way in R[:, 0], R[:, 1]:  # both are on the ground
        assert way[2] == pytest.approx(np.dot(slope, way[:2]), abs=1e-12)
    normal = np.array([*(-np.array(slope)), 1.0]) / np.sqrt(1.0 + np.dot(slope, slope))
    shortest = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), normal).matrix()
    np.testing.assert_allclose(R, shortest @ pin.utils.rotate("z", yaw), atol=1e-9)


@given(SEEDS)
def test_its_rates_belong_to_it(seed):
    motion = a_motion(np.random.default_rng(seed))
    before, now, after = (turned(motion(time)) for time in (-TINY, 0.0, TINY))
    way = axes(after[0]) @ axes(before[0]).T
    np.testing.assert_allclose(pin.log3(way) / (2.0 * TINY), now[1], atol=1e-6)
    np.testing.assert_allclose((after[1] - before[1]) / (2.0 * TINY), now[2], atol=1e-5)


@given(SEEDS)
def test_slope_and_yaw_are_read_from_how_it_is_turned(seed):
    motion = a_motion(np.random.default_rng(seed), 0.7 * STEEPEST)(0.0)
    yaw, *slope = motion[0]
    R = axes(turned(motion)[0])
    found = slope_under(R)
    if LEAST_SLOPE < np.hypot(*slope) < STEEPEST:
        np.testing.assert_allclose(found, slope, atol=1e-9)
        assert yaw_on(found, R) == pytest.approx(yaw)
    else:
        assert found == LEVEL


@pytest.mark.parametrize("angle", [0.01, 0.6, 2.0, np.pi])
def test_what_is_nearly_level_or_no_ground_counts_as_level(angle):
    assert slope_under(pin.utils.rotate("y", angle)) == LEVEL


@given(st.floats(-3.0, 3.0))
def test_on_level_ground_it_only_turns_about_z(yaw):
    motion = np.array([[yaw, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    orientation, velocity, acceleration = turned(motion)
    expected = [0.0, 0.0, np.sin(0.5 * yaw), np.cos(0.5 * yaw)]
    np.testing.assert_allclose(orientation, expected, atol=1e-15)
    np.testing.assert_array_equal(velocity, [0.0, 0.0, 0.5])
    np.testing.assert_array_equal(acceleration, np.zeros(3))
