"""The control law: gains, saturation and the integral."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.parameters import ParameterError, ParameterReflection
from controlit_ros.tasks import PIDController

PERIOD = 0.01
ZERO = np.zeros(3)
VECTORS = st.lists(st.floats(-5, 5), min_size=3, max_size=3).map(np.array)
GAINS = st.lists(st.floats(0.5, 100), min_size=3, max_size=3).map(np.array)


def law(*, by_component=False, **gains):
    owner = ParameterReflection("task")
    controller = PIDController(owner, 3, by_component=by_component, labels=("a", "b", "c"))
    for name, value in gains.items():
        owner.parameter(name).set(value)
    controller.configure()
    return controller


def command(controller, error, velocity=ZERO, goal_velocity=ZERO, goal_acceleration=ZERO):
    out = np.full(3, np.nan)
    controller.compute(error, velocity, goal_velocity, goal_acceleration, PERIOD, out)
    return out


@given(VECTORS, VECTORS, VECTORS, VECTORS, GAINS, GAINS)
def test_the_law_without_limits(error, v, goal_v, goal_a, kp, kd):
    before = [array.copy() for array in (error, v, goal_v, goal_a)]
    result = command(law(kp=kp, kd=kd), error, v, goal_v, goal_a)
    for i in range(3):
        expected = kp[i] * error[i] + kd[i] * (goal_v[i] - v[i]) + goal_a[i]
        assert result[i] == pytest.approx(expected, abs=1e-9)
    for array, copy in zip((error, v, goal_v, goal_a), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_gains_are_one_for_all_or_a_list_or_a_map():
    error = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(command(law(kp=2.0), error), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(command(law(kp=[1.0, 0.0, 3.0]), error), [1.0, 0.0, 9.0])
    np.testing.assert_array_equal(command(law(kp={"b": 5.0}), error), [0.0, 10.0, 0.0])
    for wrong in ([1.0, 2.0], -1.0, "fast", {"x": 1.0}):
        with pytest.raises(ParameterError):
            law(kp=wrong)


@given(VECTORS, st.floats(0.5, 100), st.floats(0.5, 50), st.floats(0.01, 3))
def test_saturation_limits_the_speed_and_keeps_the_direction(error, kp, kd, limit):
    result = command(law(kp=kp, kd=kd, max_velocity=limit), error)
    speed = np.linalg.norm(result) / kd
    wanted = kp / kd * np.linalg.norm(error)
    assert speed == pytest.approx(min(wanted, limit), rel=1e-9, abs=1e-12)
    np.testing.assert_allclose(np.cross(result, error), 0.0, atol=1e-7)
    assert result @ error >= 0.0


@given(VECTORS, GAINS, GAINS, st.floats(0.01, 3))
def test_different_gains_saturate_by_the_length_of_the_velocity_they_ask_for(error, kp, kd, limit):
    result = command(law(kp=kp, kd=kd, max_velocity=limit), error)
    speed, wanted = np.linalg.norm(result / kd), np.linalg.norm(kp / kd * error)
    assert speed == pytest.approx(min(wanted, limit), rel=1e-9, abs=1e-12)
    np.testing.assert_allclose(np.cross(result, kp * error), 0.0, atol=1e-6)


@given(VECTORS, GAINS, GAINS, st.lists(st.sampled_from([0.0, 0.1, 1.0]), min_size=3, max_size=3))
def test_saturation_by_component_limits_each_joint_alone(error, kp, kd, limits):
    controller = law(kp=kp, kd=kd, max_velocity=limits, by_component=True)
    result = command(controller, error)
    for i, limit in enumerate(limits):
        free = kp[i] * error[i]
        bound = limit * kd[i] if limit > 0.0 else np.inf
        assert result[i] == pytest.approx(np.clip(free, -bound, bound), rel=1e-12, abs=1e-12)


@given(VECTORS, VECTORS, VECTORS, st.floats(0.5, 100), st.floats(0.5, 50), st.floats(0.01, 3))
@pytest.mark.parametrize("size", [0.1, 10.0, 1e9])
def test_feed_forward_asks_for_no_more_than_the_limit(size, error, goal_v, goal_a, kp, kd, limit):
    """At the limit the law accelerates no further, whatever else it is told."""
    feed_forward = (size * goal_v, size * goal_a)
    asked = kp * error + kd * feed_forward[0] + feed_forward[1]
    length = np.linalg.norm(asked) / kd
    result = command(law(kp=kp, kd=kd, max_velocity=limit), error, ZERO, *feed_forward)
    expected = asked * (min(1.0, limit / length) if length > 0.0 else 1.0)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)
    each = law(kp=kp, kd=kd, max_velocity=limit, by_component=True)
    result = command(each, error, ZERO, *feed_forward)
    np.testing.assert_allclose(result, np.clip(asked, -limit * kd, limit * kd), atol=1e-9)
    moving = command(each, error, np.sign(asked) * limit, *feed_forward)
    assert (moving * np.sign(asked) <= 1e-9).all()


def test_a_saturated_law_moves_at_the_limit():
    controller = law(kp=50.0, kd=10.0, max_velocity=0.2)
    error, v = np.array([3.0, -4.0, 0.0]), np.array([0.12, -0.16, 0.0])
    np.testing.assert_allclose(command(controller, error, v), 0.0, atol=1e-12)


@pytest.mark.parametrize("by_component", [False, True])
def test_a_speed_limit_needs_damping(by_component):
    with pytest.raises(ParameterError, match=r"task\.max_velocity.*kd > 0"):
        law(kp=1.0, max_velocity=1.0, by_component=by_component)
    with pytest.raises(ParameterError, match="kd > 0"):
        law(kp=1.0, kd=[1.0, 0.0, 1.0], max_velocity=1.0, by_component=by_component)
    law(kp=[1.0, 0.0, 1.0], kd=[1.0, 0.0, 1.0], max_velocity=1.0, by_component=by_component)


def test_the_integral_sums_the_error_over_time():
    controller = law(ki=[1.0, 2.0, 0.0], max_integral=100.0)
    for cycle in range(1, 6):
        result = command(controller, np.array([1.0, -2.0, 3.0]))
        np.testing.assert_allclose(result, cycle * PERIOD * np.array([1.0, -4.0, 0.0]))
    controller.reset()
    np.testing.assert_allclose(command(controller, ZERO), 0.0)


def test_the_integral_never_exceeds_its_limit_and_unwinds_at_once():
    controller = law(ki=100.0, max_integral=0.5)
    for _ in range(50):
        result = command(controller, np.array([1.0, -1.0, 1.0]))
    np.testing.assert_allclose(result, [0.5, -0.5, 0.5])
    result = command(controller, np.array([-0.1, 0.1, -0.1]))
    np.testing.assert_allclose(result, [0.4, -0.4, 0.4])


def test_a_lower_limit_of_the_integral_acts_at_once():
    controller = law(ki=100.0, max_integral=0.5, kp=1.0, kd=1.0, max_velocity=0.1)
    command(controller, np.full(3, 0.004))
    controller.max_integral.set(0.001)
    saturated = command(controller, np.full(3, 10.0))
    np.testing.assert_allclose(saturated, 0.1 / np.sqrt(3.0) + 0.001)


@pytest.mark.parametrize("by_component", [False, True])
def test_the_integral_rests_while_the_law_is_saturated(by_component):
    controller = law(
        kp=10.0, kd=1.0, ki=5.0, max_velocity=0.1, max_integral=10.0, by_component=by_component
    )
    for _ in range(100):
        saturated = command(controller, np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(saturated, [0.1, 0.0, 0.0])
    np.testing.assert_allclose(command(controller, ZERO), 0.0)


def test_an_integral_switched_off_is_forgotten():
    controller = law(ki=1.0)
    command(controller, np.ones(3))
    controller.ki.set([0.0, 1.0, 1.0])
    np.testing.assert_allclose(command(controller, ZERO), [0.0, PERIOD, PERIOD])
    controller.ki.set(0.0)
    command(controller, ZERO)
    controller.ki.set(1.0)
    np.testing.assert_allclose(command(controller, ZERO), 0.0)
