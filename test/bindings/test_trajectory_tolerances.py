"""Tolerances of trajectories."""

import math

import numpy as np
import pytest

from controlit_ros.bindings.joint_trajectory import RefusedTrajectoryError, TrajectoryCode
from controlit_ros.bindings.trajectory_tolerances import no_tolerances, read_tolerances
from controlit_ros.interfaces import new

TYPE = "control_msgs/msg/JointTolerance"
JOINTS = ("a", "b")


def entry(name, position=0.0, velocity=0.0):
    return new(TYPE, name=name, position=position, velocity=velocity)


def violation(tolerances, position, velocity=(0.0, 0.0)):
    return tolerances.violation(np.array(position), np.array(velocity))


def test_none_allows_everything():
    assert violation(no_tolerances(JOINTS), [1e9, -1e9], [1e9, 0.0]) == ""


@pytest.mark.parametrize("unlimited", [0.0, -1.0])
def test_zero_and_negative_mean_no_limit(unlimited):
    tolerances = read_tolerances([entry("a", unlimited, unlimited)], JOINTS)
    assert violation(tolerances, [1e9, 1e9], [1e9, 1e9]) == ""


def test_limits_are_those_of_their_joint_and_sign_does_not_matter():
    tolerances = read_tolerances([entry("b", 0.1, 0.5)], JOINTS)
    assert violation(tolerances, [9.0, 0.1], [9.0, -0.5]) == ""
    assert violation(tolerances, [0.0, -0.11]) == "b is off by 0.11 in position, limit 0.1"
    assert violation(tolerances, [0.0, 0.0], [0.0, -0.6]).startswith("b is off by 0.6 in velocity")


def test_refused():
    with pytest.raises(RefusedTrajectoryError, match="unknown joint 'c'") as caught:
        read_tolerances([entry("c", 0.1)], JOINTS)
    assert caught.value.code is TrajectoryCode.INVALID_JOINTS
    with pytest.raises(RefusedTrajectoryError, match="'a' is not a number"):
        read_tolerances([entry("a", math.nan)], JOINTS)
