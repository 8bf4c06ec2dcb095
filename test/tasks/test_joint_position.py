"""Posture: goals and gains by list or by name, rows of the actuable joints."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
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


def test_part_of_a_posture_leaves_the_other_joints_alone(dreamer_description, rng):
    names = ["right_elbow", "left_elbow"]
    arms = configured(JointPosition("arms", dreamer_description), axes=names, kp=7.0, priority=1)
    rest = configured(JointPosition("rest", dreamer_description), kp=1.0, goal_position=0.2)
    arms.goal.set({"right_elbow": 0.5, "left_elbow": -0.5})
    compound = CompoundTask([arms, rest])
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    for task in compound.tasks:
        task.update(model, task.inactive)
        task.swap()
    compound.compute(0.001)
    order = [arms.component_names.index(name) for name in names]
    np.testing.assert_array_equal(compound.jacobian[:2], rest.active.jacobian[order])
    np.testing.assert_allclose(
        compound.command[:2], 7.0 * (arms.goal.value - arms.actual.value)[order], atol=1e-12
    )
    assert np.count_nonzero(arms.error.value) == 2
