"""Gains by settling time and damping ratio do what they promise, and are told when they cannot."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.parameters import Mailbox, ParameterError, ParameterReflection
from controlit_ros.tasks import PIDController
from controlit_ros.tasks.gain_design import gains_of_bandwidth, settled

TEXT = """
name: designed
robot_description: package://controlit/urdf/dreamer.urdf
tasks:
  - {{name: Hand, type: CartesianPosition, body: right_wrist_yaw, {}}}
compound_task: [{{name: Hand, priority: 0}}]
"""


def task(text, overrides=None):
    """Return the law of the hand."""
    return load_stack(TEXT.format(text), overrides).tasks.tasks[0].controller


def gains(law):
    """Return kp and kd, which are the same for all rows."""
    assert np.ptp(law.kp.value) == np.ptp(law.kd.value) == 0.0
    return law.kp.value[0], law.kd.value[0]


def pid(**values):
    """Return a law of four joints, and what changes its parameters between two cycles."""
    owner = ParameterReflection("task")
    law = PIDController(owner, 4, by_component=True, labels=("a", "b", "c", "d"))
    mailbox = Mailbox()

    def change(**news):
        mailbox.post({owner.parameter(name): value for name, value in news.items()})
        mailbox.next()
        mailbox.apply_next()

    for name, value in values.items():
        owner.parameter(name).set(value)
    law.configure()
    return law, change


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


def test_a_file_may_say_what_gains_shall_come_to():
    omega = 5.8339 / 0.5
    hand = task("settling_time: 0.5")
    np.testing.assert_allclose(hand.kp.value, omega**2, rtol=1e-3)
    np.testing.assert_allclose(hand.kd.value, 2.0 * omega, rtol=1e-3)
    np.testing.assert_array_equal(hand.settling_time.value, 0.5)
    assert gains(task("bandwidth: 10, damping_ratio: 0.7")) == (100.0, pytest.approx(14.0))
    each = task("bandwidth: [1, 2, 3], damping_ratio: [1, 0.5, 2]")
    assert each.kp.value.tolist() == [1.0, 4.0, 9.0]
    assert each.kd.value.tolist() == [2.0, 2.0, 12.0]
    mixed = task("bandwidth: [3, 0, 0], settling_time: [0, 0.5, 0.5]")
    np.testing.assert_allclose(mixed.kp.value, [9.0, omega**2, omega**2], rtol=1e-3)


def test_it_may_be_set_from_outside_the_file():
    assert gains(task("control_law: PID", {"tasks.Hand.bandwidth": 2.0})) == (4.0, 4.0)


def test_zero_leaves_gains_to_what_states_them():
    assert gains(task("kp: 3, kd: 2, bandwidth: 0")) == (3.0, 2.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("settling_time: 0", "settling_time: found 0, expected numbers greater than 0"),
        ("settling_time: soon", "settling_time: found 'soon', expected"),
        ("settling_time: .nan", "settling_time: found"),
        ("settling_time: true", "settling_time: found"),
        ("settling_time: []", "settling_time: found"),
        ("settling_time: [1, -1, 1]", "settling_time: found"),
        (
            "settling_time: 1.0e-9",
            "settling_time: found [1e-09, 1e-09, 1e-09], expected numbers of",
        ),
        ("bandwidth: {x: 1}", "bandwidth: found"),
        ("bandwidth: .inf", "bandwidth: found"),
        ("bandwidth: 1.0e+7", "bandwidth: found"),
        ("damping_ratio: 0.01, bandwidth: 1", "damping_ratio: found 0.01 (too small), expected"),
        ("damping_ratio: 0.7", "damping_ratio: found without settling_time or bandwidth"),
        ("kp: 1, damping_ratio: 0.7", "damping_ratio: found without settling_time or bandwidth"),
        ("settling_time: 1, bandwidth: 1", "bandwidth: found beside settling_time"),
        ("settling_time: 1, kd: 1", "kd: found beside settling_time, expected one of them"),
        ("kp: 4, bandwidth: 2", "kp: found beside bandwidth, expected one of them"),
        ("bandwidth: [1, 1]", "bandwidth: found"),
        ("control_law: SlidingMode, bandwidth: 1", "no parameter 'bandwidth'"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(text, told):
    with pytest.raises(ConfigurationError) as caught:
        load_stack(TEXT.format(text))
    assert told in str(caught.value)
    place = re.search(r":5:(\d+): ", str(caught.value))
    wrong = re.search(r"(\w+): found|no parameter '(\w+)'", told)
    line = TEXT.format(text).splitlines()[4]
    assert line[int(place[1]) - 1 :].startswith(wrong[1] or wrong[2])


def test_at_run_time_gains_follow_what_is_asked_for():
    law, change = pid(kp=64.0, kd=16.0)
    change(bandwidth=10.0)
    assert gains(law) == (100.0, 20.0)
    change(damping_ratio=0.5)
    assert gains(law) == (100.0, 10.0)
    change(settling_time=2.0)
    assert gains(law)[0] == pytest.approx((settled(0.5) / 2.0) ** 2)
    assert not law.bandwidth.value.any()
    change(bandwidth=3.0, damping_ratio=1.0)
    assert gains(law) == (9.0, 6.0)
    assert not law.settling_time.value.any()


def test_a_gain_that_is_stated_at_run_time_ends_what_was_designed():
    law, change = pid(bandwidth=10.0, damping_ratio=0.5)
    change(kp=50.0)
    assert gains(law) == (50.0, 10.0)
    assert not law.bandwidth.value.any()
    assert law.damping_ratio.value.tolist() == [1.0] * 4
    with pytest.raises(ParameterError, match="without settling_time or bandwidth"):
        change(damping_ratio=0.7)
    assert gains(law) == (50.0, 10.0)


def test_joints_are_designed_one_by_one():
    law, change = pid(bandwidth={"a": 10.0, "b": 10.0}, damping_ratio={"b": 0.5})
    assert law.kp.value.tolist() == [100.0, 100.0, 0.0, 0.0]
    assert law.kd.value.tolist() == [20.0, 10.0, 0.0, 0.0]
    change(kp={"b": 7.0})
    change(bandwidth={"c": 2.0}, kd={"d": 5.0})
    assert law.kp.value.tolist() == [100.0, 7.0, 4.0, 0.0]
    assert law.kd.value.tolist() == [20.0, 10.0, 4.0, 5.0]
    assert law.bandwidth.value.tolist() == [10.0, 0.0, 2.0, 0.0]
    change(damping_ratio=2.0)
    assert law.kd.value.tolist() == [40.0, 10.0, 8.0, 5.0]
    assert law.damping_ratio.value.tolist() == [2.0, 1.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("news", "told"),
    [
        ({"bandwidth": 5.0, "kp": 1.0}, "kp: found beside bandwidth"),
        ({"damping_ratio": 0.7, "kd": 1.0}, "kd: found beside damping_ratio"),
        ({"bandwidth": 5.0, "settling_time": {"c": 1.0}}, "bandwidth: found beside settling_time"),
        ({"settling_time": 1e-9}, "settling_time: found"),
        ({"damping_ratio": 0.0}, "damping_ratio: found"),
        ({"bandwidth": 5.0, "max_velocity": -1.0}, "max_velocity: found"),
    ],
)
def test_what_contradicts_itself_changes_nothing(news, told):
    law, change = pid(bandwidth=10.0)
    before = {p: p.snapshot() for p in law.parameters}
    with pytest.raises(ParameterError, match=told):
        change(**news)
    assert {p: p.snapshot() for p in law.parameters} == before


@pytest.mark.parametrize("way", ["bandwidth", "settling_time"])
def test_all_that_was_read_can_be_set_again(way):
    """As `ros2 param load` does with what `ros2 param dump` wrote: one by one, or at once."""
    law, change = pid(**{way: [10.0, 0.7, 0.3, 0.0], "damping_ratio": [1.0, 0.7, 2.0, 1.0]})
    before = {p.name: p.snapshot() for p in law.parameters}
    change(**before)
    assert {p.name: p.snapshot() for p in law.parameters} == before
    for name, value in sorted(before.items()):
        change(**{name: value})
    assert {p.name: p.snapshot() for p in law.parameters} == before


@pytest.mark.parametrize(
    ("text", "change", "kept"),
    [
        ("settling_time: 0.5", {}, ["settling_time: 0.5"]),
        ("settling_time: 0.5", {"settling_time": 0.7}, ["settling_time: 0.7"]),
        ("bandwidth: 5", {"damping_ratio": 0.5}, ["bandwidth: 5", "damping_ratio: 0.5"]),
        ("bandwidth: 5", {"kp": 30.0}, ["bandwidth: 0", "kp: 30", "kd: 10"]),
        ("kp: 64, kd: 16", {"bandwidth": 5.0}, ["kp: 25", "kd: 10"]),
    ],
)
def test_what_runs_is_saved_in_one_way(text, change, kept):
    stack = load_stack(TEXT.format(text))
    law, mailbox = stack.tasks.tasks[0].controller, Mailbox()
    if change:
        mailbox.post({law.owner.parameter(name): value for name, value in change.items()})
        mailbox.next()
        mailbox.apply_next()
    saved = running_text(stack)
    again = build_stack(load_configuration(saved)).tasks.tasks[0].controller
    np.testing.assert_array_equal(again.kp.value, law.kp.value)
    np.testing.assert_array_equal(again.kd.value, law.kd.value)
    assert all(entry in saved for entry in kept)
