"""Sliding mode: convergence, the bound under a disturbance, and the command at hand."""

import numpy as np
import pytest

from controlit_ros.parameters import ParameterError, ParameterReflection
from controlit_ros.tasks.sliding_mode import SlidingMode

PERIOD = 1e-3


def law(**gains):
    owner = ParameterReflection("task")
    controller = SlidingMode(owner, 1)
    for name, value in gains.items():
        owner.parameter(name).set(value)
    return controller


def simulate(controller, disturbance, seconds=6.0):
    """Integrate `x'' = command + disturbance(t)` towards zero from one."""
    x, v, command = np.ones(1), np.zeros(1), np.zeros(1)
    errors = []
    for i in range(int(seconds / PERIOD)):
        controller.compute(-x, v, np.zeros(1), np.zeros(1), PERIOD, command)
        v += (command + disturbance(i * PERIOD)) * PERIOD
        x += v * PERIOD
        errors.append(abs(x[0]))
    return np.array(errors)


def test_a_disturbance_below_the_reach_leaves_what_the_law_says():
    slope, reach, layer = 4.0, 10.0, 0.2
    controller = law(slope=slope, reach=reach, boundary_layer=layer)
    assert simulate(controller, lambda _t: 0.0)[-1] < 1e-4
    for push in (3.0, -8.0):
        left = simulate(controller, lambda _t, push=push: push)[-1000:]
        np.testing.assert_allclose(left, layer * abs(push) / (reach * slope), rtol=0.01)
    swinging = simulate(controller, lambda t: 9.0 * np.sin(20 * t))[-1000:]
    assert swinging.max() < layer * 9.0 / (reach * slope)


def test_the_error_decays_with_the_slope_once_on_the_surface():
    errors = simulate(law(slope=2.0, reach=50.0, boundary_layer=0.05), lambda _t: 0.0)
    begin, end = 1500, 2500
    assert errors[end] / errors[begin] == pytest.approx(np.exp(-2.0), rel=0.05)


def test_the_boundary_layer_is_not_zero():
    with pytest.raises(ParameterError, match="boundary_layer"):
        law(boundary_layer=0.0)
