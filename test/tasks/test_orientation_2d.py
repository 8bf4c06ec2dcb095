"""2D orientation: headings at any angle, opposite ones included."""

import numpy as np
import pytest
from hypothesis import given
from robots_for_tests import SEEDS, configured, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.orientation_2d import Orientation2D


def sensed(task, model):
    task.update(model, task.inactive)
    task.swap()
    task.compute(0.001)
    return task


@given(SEEDS)
def test_two_degrees_of_freedom(dreamer_description, seed):
    rng = np.random.default_rng(seed)
    vector = rng.normal(size=3)
    task = configured(
        Orientation2D("gaze", dreamer_description), body="left_wrist_yaw", body_vector=vector
    )
    active = sensed(
        task, updated(dreamer_description, random_state(dreamer_description, rng))
    ).active
    assert np.linalg.norm(active.actual) == pytest.approx(1.0)
    np.testing.assert_allclose(active.actual @ active.jacobian, 0.0, atol=1e-12)
    assert np.linalg.matrix_rank(active.jacobian, tol=1e-9) == 2


@given(SEEDS)
def test_opposite_headings_stay_finite(dreamer_description, seed):
    rng = np.random.default_rng(seed)
    task = configured(Orientation2D("gaze", dreamer_description), body="left_wrist_yaw", kp=10.0)
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    sensed(task, model)
    task.goal.set(-task.actual.value)
    sensed(task, model)
    assert np.isfinite(task.command.value).all()
    assert task.error_norm.value == pytest.approx(np.pi)


def test_vectors_are_brought_to_unit_length(dreamer_description):
    task = Orientation2D("gaze", dreamer_description)
    task.goal.set([0.0, 3.0, 4.0])
    np.testing.assert_allclose(task.goal.value, [0.0, 0.6, 0.8])
    with pytest.raises(ParameterError, match="no direction"):
        task.body_vector.set([0.0, 0.0, 0.0])
