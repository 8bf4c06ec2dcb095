"""Staleness: distance of every joint and of the base, and age."""

import numpy as np
import pytest

from controlit_ros.model import RobotState
from controlit_ros.servo import StalenessBound
from controlit_ros.servo.staleness import Staleness

JOINTS = ("a", "b")


def states():
    return RobotState(JOINTS), RobotState(JOINTS)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("joint", [0, 1])
def test_one_joint_too_far_is_enough(joint, sign):
    staleness = Staleness(StalenessBound(distance=0.1))
    newest, model = states()
    model.position[:] = newest.position[:] = 0.7
    newest.position[joint] += sign * 0.099
    assert not staleness.is_passed(newest, model)
    newest.position[joint] += sign * 0.002
    assert staleness.is_passed(newest, model)
    assert staleness.cycles == 1


def test_the_base_counts_too():
    staleness = Staleness(StalenessBound(distance=0.1))
    newest, model = states()
    newest.base_position[1] = -0.11
    assert staleness.is_passed(newest, model)
    newest.base_position[:] = 0.0
    for angle, expected in ((0.09, False), (0.11, True)):
        newest.base_orientation[:] = (0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2))
        assert staleness.is_passed(newest, model) is expected
    newest.base_orientation[:] = (0.0, 0.0, 0.0, -1.0)  # the same orientation
    assert not staleness.is_passed(newest, model)


def test_age_is_the_difference_of_the_stamps():
    staleness = Staleness(StalenessBound(age=0.01))
    newest, model = states()
    newest.stamp, model.stamp = 100.0, 99.995
    assert not staleness.is_passed(newest, model)
    newest.stamp = 100.006
    assert staleness.is_passed(newest, model)
