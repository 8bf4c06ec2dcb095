"""Tolerances of trajectories."""

import math

import numpy as np
import pytest

from controlit_ros.bindings.joint_trajectory import RefusedTrajectoryError, TrajectoryCode
from controlit_ros.bindings.trajectory_tolerances import (
    DefaultTolerances,
    TrajectoryTolerances,
    read_tolerances,
    stated_tolerance,
)
from controlit_ros.interfaces import new

TYPE = "control_msgs/msg/JointTolerance"
JOINTS = ("a", "b")


def entry(name, position=0.0, velocity=0.0):
    return new(TYPE, name=name, position=position, velocity=velocity)


def violation(tolerances, position, velocity=(0.0, 0.0)):
    return tolerances.violation(np.array(position), np.array(velocity))


NONE = DefaultTolerances({}, {}).on_path(JOINTS)
SOME = TrajectoryTolerances(JOINTS, np.array([0.1, 0.2]), np.array([1.0, 2.0]))


def test_none_allows_everything():
    assert violation(NONE, [1e9, -1e9], [1e9, 0.0]) == ""


@pytest.mark.parametrize("unlimited", [0.0, -1.0])
def test_without_a_default_zero_means_no_limit(unlimited):
    tolerances = read_tolerances([entry("a", unlimited, unlimited)], NONE)
    assert violation(tolerances, [1e9, 1e9], [1e9, 1e9]) == ""


def test_zero_is_the_default_and_minus_one_takes_it_back():
    tolerances = read_tolerances([entry("a", 0.0, -1.0), entry("b", -1.0, 3.0)], SOME)
    np.testing.assert_array_equal(tolerances.position, [0.1, np.inf])
    np.testing.assert_array_equal(tolerances.velocity, [np.inf, 3.0])
    np.testing.assert_array_equal(SOME.position, [0.1, 0.2])
    unstated = read_tolerances([entry("b", 0.5)], SOME)
    np.testing.assert_array_equal(unstated.position, [0.1, 0.5])
    np.testing.assert_array_equal(unstated.velocity, [1.0, 2.0])


def test_defaults_are_those_of_the_joints_of_the_trajectory():
    defaults = DefaultTolerances({"a": 0.1, "c": 0.3}, {"b": 0.2}, stopped_velocity=0.5)
    path, goal = defaults.on_path(("c", "a", "b")), defaults.at_goal(("b", "a"))
    np.testing.assert_array_equal(path.position, [0.3, 0.1, np.inf])
    assert np.isinf(path.velocity).all()
    np.testing.assert_array_equal(goal.position, [0.2, np.inf])
    np.testing.assert_array_equal(goal.velocity, [0.5, 0.5])


def test_limits_are_those_of_their_joint_and_sign_does_not_matter():
    tolerances = read_tolerances([entry("b", 0.1, 0.5)], NONE)
    assert violation(tolerances, [9.0, 0.1], [9.0, -0.5]) == ""
    assert violation(tolerances, [0.0, -0.11]) == "b is off by 0.11 in position, limit 0.1"
    assert violation(tolerances, [0.0, 0.0], [0.0, -0.6]).startswith("b is off by 0.6 in velocity")


def test_refused():
    with pytest.raises(RefusedTrajectoryError, match="unknown joint 'c'") as caught:
        read_tolerances([entry("c", 0.1)], NONE)
    assert caught.value.code is TrajectoryCode.INVALID_JOINTS


@pytest.mark.parametrize("value", [math.nan, -0.5, -2.0, -math.inf])
def test_other_numbers_mean_nothing(value):
    with pytest.raises(RefusedTrajectoryError, match=r"'a': found .*, expected .* or -1") as caught:
        read_tolerances([entry("a", 0.1, value)], NONE)
    assert caught.value.code is TrajectoryCode.INVALID_GOAL
    with pytest.raises(RefusedTrajectoryError, match="time: found"):
        stated_tolerance("time", value, 1.0)
