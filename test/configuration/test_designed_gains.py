"""Gains by settling time and damping ratio do what they promise, and are told when they cannot."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.configuration.designed_gains import gains_of_bandwidth, settled
from controlit_ros.nodes.building import load_stack

TEXT = """
name: designed
robot_description: package://controlit/urdf/dreamer.urdf
tasks:
  - {{name: Hand, type: CartesianPosition, body: right_wrist_yaw, {}}}
compound_task: [{{name: Hand, priority: 0}}]
"""


def task(text, overrides=None):
    (entry,) = load_configuration(TEXT.format(text), overrides).tasks
    return entry.parameters


@pytest.mark.parametrize("zeta", [0.1, 0.3, 0.7, 0.78, 0.999, 1.0, 1.001, 2.0, 10.0])
def test_the_error_of_a_step_settles_when_it_shall(zeta):
    """Against an integration of the error's equation of motion."""
    wanted = 0.8  # [s]
    kp, kd = gains_of_bandwidth(settled(zeta) / wanted, zeta)
    times = np.linspace(0.0, 3.0 * wanted, 30_001)
    path = solve_ivp(
        lambda _, x: [x[1], -kp * x[0] - kd * x[1]], (0.0, times[-1]), [1.0, 0.0],
        t_eval=times, method="LSODA", rtol=1e-10, atol=1e-12,
    ).y[0]  # fmt: skip
    last = times[np.flatnonzero(np.abs(path) > 0.02)[-1]]
    assert last == pytest.approx(wanted, rel=2e-3)


def test_gains_are_put_where_they_are_not_stated():
    omega = 5.8339 / 0.5
    found = task("settling_time: 0.5")
    assert found["kp"] == pytest.approx(omega**2, rel=1e-3)
    assert found["kd"] == pytest.approx(2.0 * omega, rel=1e-3)
    assert set(found) >= {"kp", "kd"}
    assert not {"settling_time", "damping_ratio"} & set(found)
    assert task("bandwidth: 10, damping_ratio: 0.7")["kp"] == 100.0
    assert task("bandwidth: 10, damping_ratio: 0.7")["kd"] == pytest.approx(14.0)
    each = task("bandwidth: [1, 2, 3], damping_ratio: [1, 0.5, 2]")
    assert each["kp"] == [1.0, 4.0, 9.0]
    assert each["kd"] == [2.0, 2.0, 12.0]
    assert task("bandwidth: [1, 2, 3]")["kd"] == [2.0, 4.0, 6.0]


def test_a_gain_that_is_stated_counts():
    found = task("bandwidth: 10, kp: 7")
    assert (found["kp"], found["kd"]) == (7, 20.0)


def test_it_may_be_set_from_outside_the_file():
    assert task("kd: 3", {"tasks.Hand.bandwidth": 2.0})["kp"] == 4.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("settling_time: 0", "settling_time: found 0, expected numbers greater than 0"),
        ("settling_time: soon", "settling_time: found 'soon', expected numbers greater than 0"),
        ("settling_time: .nan", "settling_time: found"),
        ("settling_time: true", "settling_time: found"),
        ("settling_time: []", "settling_time: found"),
        ("settling_time: [1, -1, 1]", "settling_time: found"),
        ("bandwidth: {x: 1}", "bandwidth: found"),
        ("bandwidth: .inf", "bandwidth: found"),
        ("damping_ratio: 0.01, bandwidth: 1", "damping_ratio: found 0.01, expected numbers 0.1 to"),
        ("damping_ratio: 0.7", "damping_ratio: found without settling_time or bandwidth"),
        ("settling_time: 1, bandwidth: 1", "bandwidth: found beside settling_time"),
        ("bandwidth: [1, 1], damping_ratio: [1, 1, 1]", "expected of one length"),
        ("bandwidth: [1, 1]", "kp"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(text, told):
    with pytest.raises(ConfigurationError) as caught:
        load_stack(TEXT.format(text))
    assert told in str(caught.value)
    assert ":5:" in str(caught.value)
