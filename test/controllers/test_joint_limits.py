"""A controller is told the limits that are enforced."""

import numpy as np
from robots_for_tests import REPOSITORY

from controlit_ros.controllers import JointLimits
from controlit_ros.nodes.building import load_stack

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"


def test_are_those_of_the_urdf_unless_told_otherwise():
    stack = load_stack(HANDS)
    elbow = stack.robot.command_joints.index("right_elbow")
    for limits in (stack.controller.limits, JointLimits.of(stack.robot)):
        assert limits.effort[elbow] == 20.0
        np.testing.assert_allclose(limits.velocity[elbow], 0.872664625997)
        np.testing.assert_allclose(limits.lower[elbow], -0.00486908464063)
        np.testing.assert_allclose(limits.upper[elbow], 2.31810267927)


def test_what_is_not_enforced_is_no_limit_and_max_effort_command_is_one():
    off = {"enforce_effort_limits": False, "enforce_velocity_limits": False}
    limits = load_stack(
        HANDS, {**off, "enforce_position_limits": False, "max_effort_command": 7.0}
    ).controller.limits
    np.testing.assert_array_equal(limits.effort, 7.0)
    assert np.isinf([limits.velocity, limits.lower, limits.upper]).all()
