"""Posture: goals and gains by list or by name, rows of the actuable joints."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.joint_position import JointPosition


def test_rows_select_the_actuable_joints():
    description = dreamer(passive_joints=("torso_upper_pitch", "left_elbow"))
    task = configured(JointPosition("posture", description))
    assert task.dimension == 14
    for state in (task.active, task.inactive):
        for row, joint in zip(state.jacobian, description.actuable_joints, strict=True):
            expected = np.zeros(description.nv)
            expected[6 + description.real_joints.index(joint)] = 1.0
            np.testing.assert_array_equal(row, expected)


def test_goals_and_gains_as_map_change_only_the_named_joints(dreamer_description):
    task = JointPosition("posture", dreamer_description)
    task.goal.set(0.5)
    task.goal.set({"left_elbow": 1.0, "right_elbow": -1.0})
    task.controller.kp.set({"left_elbow": 7.0})
    joints = dreamer_description.actuable_joints
    expected = np.full(16, 0.5)
    expected[joints.index("left_elbow")], expected[joints.index("right_elbow")] = 1.0, -1.0
    np.testing.assert_array_equal(task.goal.value, expected)
    assert task.controller.kp.value.sum() == task.controller.kp.value[joints.index("left_elbow")]
    with pytest.raises(ParameterError, match="left_elbow"):
        task.goal.set({"left_elbwo": 1.0})


def test_the_error_is_goal_minus_position(dreamer_description, rng):
    task = configured(JointPosition("posture", dreamer_description), goal_position=0.25)
    state = random_state(dreamer_description, rng)
    task.update(updated(dreamer_description, state), task.inactive)
    task.swap()
    task.compute(0.001)
    np.testing.assert_array_equal(task.error.value, 0.25 - state.position)
    assert not task.active.bias.any()
