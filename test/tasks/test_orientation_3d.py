"""3D orientation: the short way, whatever the sign of the quaternions."""

import numpy as np
import pinocchio as pin
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured, random_state, updated

from controlit_ros.tasks.orientation_3d import Orientation3D


def sensed(task, model):
    task.update(model, task.inactive)
    task.swap()
    task.compute(0.001)
    return task


@given(SEEDS, st.floats(0.0, np.pi - 1e-6))
def test_the_error_is_the_world_rotation_to_the_goal(dreamer_description, seed, angle):
    rng = np.random.default_rng(seed)
    task = configured(Orientation3D("hand", dreamer_description), body="left_wrist_yaw")
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    rotation = model.placement(dreamer_description.frame_id("left_wrist_yaw")).rotation
    axis = rng.normal(size=3)
    turn = angle * axis / np.linalg.norm(axis)
    goal = pin.Quaternion(pin.exp3(turn) @ rotation).coeffs()
    task.goal.set(goal)
    error = sensed(task, model).error.value.copy()
    np.testing.assert_allclose(error, turn, atol=1e-7)
    task.goal.set(-goal)
    np.testing.assert_allclose(sensed(task, model).error.value, error, atol=1e-12)


@given(SEEDS, st.floats(np.pi + 1e-3, 2 * np.pi))
def test_more_than_half_a_turn_goes_the_other_way(dreamer_description, seed, angle):
    rng = np.random.default_rng(seed)
    task = configured(Orientation3D("hand", dreamer_description), body="left_wrist_yaw")
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    rotation = model.placement(dreamer_description.frame_id("left_wrist_yaw")).rotation
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    task.goal.set(pin.Quaternion(pin.exp3(angle * axis) @ rotation).coeffs())
    error = sensed(task, model).error.value
    np.testing.assert_allclose(error, (angle - 2 * np.pi) * axis, atol=1e-7)


def test_half_a_turn_is_finite(dreamer_description, rng):
    task = configured(Orientation3D("hand", dreamer_description), body="left_wrist_yaw")
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    rotation = model.placement(dreamer_description.frame_id("left_wrist_yaw")).rotation
    task.goal.set(pin.Quaternion(pin.exp3(np.array([0.0, np.pi, 0.0])) @ rotation).coeffs())
    np.testing.assert_allclose(np.abs(sensed(task, model).error.value), [0, np.pi, 0], atol=1e-6)
