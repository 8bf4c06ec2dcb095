"""Cartesian position seen from the world and from a moving body."""

import numpy as np
from robots_for_tests import configured, random_state, updated

from controlit_ros.tasks.cartesian_position import CartesianPosition


def sensed(task, model):
    task.update(model, task.inactive)
    task.swap()
    task.compute(0.001)
    return task


def test_a_point_does_not_move_in_the_frame_of_its_own_body(dreamer_description, rng):
    task = configured(
        CartesianPosition("hand", dreamer_description),
        body="left_wrist_yaw",
        frame="left_wrist_yaw_link",
        control_point=[0.1, 0.2, 0.3],
    )
    state = random_state(dreamer_description, rng, speed=5.0)
    sensed(task, updated(dreamer_description, state))
    np.testing.assert_allclose(task.actual.value, [0.1, 0.2, 0.3], atol=1e-12)
    np.testing.assert_allclose(task.active.jacobian, 0.0, atol=1e-12)
    np.testing.assert_allclose(task.active.bias, 0.0, atol=1e-10)


def test_in_the_base_frame_the_motion_of_the_base_does_not_matter(dreamer_description, rng):
    task = configured(
        CartesianPosition("hand", dreamer_description), body="left_wrist_yaw", frame="base_link"
    )
    state = random_state(dreamer_description, rng)
    one = sensed(task, updated(dreamer_description, state)).active
    state.base_velocity[:] = rng.normal(size=6)
    state.base_position += 1.0
    other = sensed(task, updated(dreamer_description, state)).active
    np.testing.assert_allclose(one.jacobian[:, :6], 0.0, atol=1e-12)
    for name in ("actual", "jacobian", "bias", "velocity"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-10)


def test_the_control_point_may_change_at_run_time(dreamer_description, rng):
    task = configured(CartesianPosition("hand", dreamer_description), body="left_wrist_yaw")
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    before = sensed(task, model).actual.value.copy()
    task.control_point.set([0.0, 0.0, -0.1])
    after = sensed(task, model).actual.value
    rotation = model.placement(dreamer_description.frame_id("left_wrist_yaw")).rotation
    np.testing.assert_allclose(after - before, rotation @ [0.0, 0.0, -0.1], atol=1e-12)
