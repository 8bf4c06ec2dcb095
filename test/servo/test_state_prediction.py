"""StatePrediction: a cart, whose motion under a force is known in closed form."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.state_prediction import LONGEST, Prediction, StatePrediction

FASTEST, FARTHEST = 100.0, 1000.0  # [m/s], [m]
CART = """<robot name="cart"><link name="rail"><inertial>
<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="cart"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-{far}" upper="{far}" velocity="{fast}" effort="1e9"/></joint></robot>"""
PERIOD = 0.001
UNSTABLE = 80  # [cycles] of delay


def prediction(delay=0.0, fastest=FASTEST, farthest=FARTHEST, kind=Prediction.MODEL):
    robot = RobotDescription(CART.format(far=farthest, fast=fastest))
    return StatePrediction(robot, kind, 1.0 / PERIOD, delay)


def cart(mass=1.0, bias=0.0, drift=0.0):
    """Return the model of a cart with a mass, a constant load and an acceleration of its own."""
    task_map, own = np.zeros((7, 1)), np.zeros(7)
    task_map[6], own[6] = 1.0 / math.sqrt(mass), drift
    return SimpleNamespace(
        Phi=np.array([[1.0 / mass]]),
        effort_map=np.array([[math.sqrt(mass)]]),
        task_map=task_map,
        bias_effort=np.array([bias]),
        drift=own,
    )


def measured(x=0.0, v=0.0, reflected=0):
    state = RobotState(["slide"])
    state.position[0], state.velocity[0], state.reflected_sequence = x, v, reflected
    return state


def send(predictor, efforts, times, first=10**18):
    """Send numbered commands and return the number of the first."""
    for i, (effort, time) in enumerate(zip(efforts, times, strict=True)):
        predictor.sent(first + i, np.array([effort]), time)
    return first


@settings(max_examples=tries(60), deadline=None)
@given(
    forces=st.lists(st.floats(-50.0, 50.0), min_size=2, max_size=30),
    periods=st.lists(st.floats(0.001, 0.003), min_size=30, max_size=30),
    mass=st.floats(0.01, 100.0),
    bias=st.floats(-9.0, 9.0),
    drift=st.floats(-2.0, 2.0),
    v=st.floats(-1.0, 1.0),
    is_reflected=st.booleans(),
    data=st.data(),
)
def test_it_is_the_motion_under_the_efforts_under_way(
    forces, periods, mass, bias, drift, v, is_reflected, data
):
    times = np.concatenate([[0.0], np.cumsum(periods)])[: len(forces) + 1]
    now = times[-1]
    begin = data.draw(st.integers(1, len(forces)), label="first under way")
    predictor = prediction(0.0 if is_reflected else now - times[begin], fastest=1e9, farthest=1e9)
    first = send(predictor, forces, times[:-1])
    state = measured(0.3, v, first + begin - 1 if is_reflected else 0)
    led = predictor.seen(state, cart(mass, bias, drift), now, now)
    x = 0.3
    for i in range(begin, len(forces)):
        dt = times[i + 1] - times[i]
        a = (forces[i] - bias) / mass - drift
        x, v = x + v * dt + 0.5 * a * dt * dt, v + a * dt
    size = max(map(abs, forces)) / mass + 1000.0 / mass
    assert led.velocity[0] == pytest.approx(v, abs=1e-12 * (1.0 + size))
    assert led.position[0] == pytest.approx(x, abs=1e-12 * (1.0 + size))
    assert state.position[0] == 0.3


@pytest.mark.parametrize("is_reflected", [True, False])
@pytest.mark.parametrize("steps", [1, 20, UNSTABLE])
def test_the_loop_is_that_without_delay_but_later(steps, is_reflected):
    """Over a delay that would make it unstable; kp 400, kd 28 bear 37 ms."""
    kp, kd, cycles = 400.0, 28.0, 600

    def run(delay, predictor):
        """Return the way from the cycle on in which the first force acts."""
        x, v, motion = 1.0, 0.0, []
        forces = [0.0] * delay
        for k in range(cycles + 2 * steps):
            reflected = 1000 + k - delay - 1 if is_reflected and k > delay else 0
            state, now = measured(x, v, reflected), k * PERIOD
            led = predictor.seen(state, cart(), now, now) if predictor else state
            has_begun = k > steps  # what was sent before is at rest, too
            force = has_begun * (-kp * led.position[0] - kd * led.velocity[0])
            if predictor:
                send(predictor, [force], [now], 1000 + k)
            forces.append(force)
            x, v = x + v * PERIOD + 0.5 * forces[k] * PERIOD**2, v + forces[k] * PERIOD
            motion.append(x)
        return np.array(motion[delay + steps + 1 :])

    found = run(steps, prediction(0.0 if is_reflected else steps * PERIOD))
    ideal = run(0, None)
    assert abs(ideal[-1]) < 0.02
    assert found == pytest.approx(ideal[: len(found)], abs=1e-9)
    if steps == UNSTABLE:
        assert np.abs(run(steps, None)).max() > 5.0


def test_it_leads_no_farther_than_limits_allow():
    predictor = prediction(0.02, fastest=2.0, farthest=0.5)
    times = np.arange(40) * PERIOD
    send(predictor, np.full(40, 1e6), times)
    led = predictor.seen(measured(0.0, 0.5), cart(), 0.04, 0.04)
    assert led.velocity[0] == 2.0
    assert led.position[0] == pytest.approx(2.0 * 0.02)
    led = predictor.seen(measured(0.49, 0.5), cart(), 0.04, 0.04)
    assert led.position[0] == 0.5
    led = predictor.seen(measured(0.7, -3.0), cart(), 0.04, 0.04)  # is out already, and too fast
    assert led.velocity[0] == 3.0
    assert led.position[0] <= 0.7


def test_what_is_not_known_is_not_predicted():
    state, model = measured(0.1, 0.2), cart()
    unknown = prediction()
    for k in range(300):
        assert unknown.seen(state, model, k * PERIOD, k * PERIOD) is state
        if abs(k * PERIOD - LONGEST) > PERIOD:
            assert ("no round_trip_delay" in unknown.complaint) == (k * PERIOD > LONGEST)
        send(unknown, [1.0], [k * PERIOD], 5 + k)
    state.reflected_sequence = 5 + 299 - 150
    assert unknown.seen(state, model, 0.3, 0.3) is state
    assert "more than 0.1 s" in unknown.complaint
    state.reflected_sequence = 5 + 298
    assert unknown.seen(state, model, 0.3, 0.3) is not state
    assert unknown.complaint == ""
    state.reflected_sequence = 5 + 300  # nobody sent it
    assert unknown.seen(state, model, 0.3, 0.3) is state
    unknown.restart()
    state.reflected_sequence = 5 + 298
    assert unknown.seen(state, model, 0.3, 0.3) is state


@pytest.mark.parametrize("delay", [0.15, 2.0])
def test_a_stated_delay_that_is_too_long(delay):
    predictor, state = prediction(delay), measured()
    for k in range(300):
        send(predictor, [1.0], [k * PERIOD], 1 + k)
    assert predictor.seen(state, cart(), 0.3, 0.3) is state
    assert "more than 0.1 s" in predictor.complaint


def test_efforts_before_control_began_are_not_made_up():
    predictor, state = prediction(0.02), measured(0.1, 0.2)
    for k in range(40):
        led = predictor.seen(state, cart(), k * PERIOD, k * PERIOD)
        assert (led is state) == (k < 20 or k * PERIOD - 0.02 < 0.0)
        send(predictor, [1.0], [k * PERIOD], 1 + k)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_model_that_is_not_finite_changes_nothing(value):
    predictor, state = prediction(0.01), measured(0.1, 0.2)
    send(predictor, np.zeros(30), np.arange(30) * PERIOD)
    assert predictor.seen(state, cart(bias=value), 0.03, 0.03) is state


def test_none_is_none():
    predictor, state = prediction(0.01, kind=Prediction.NONE), measured(0.1, 0.2)
    send(predictor, np.ones(30), np.arange(30) * PERIOD)
    assert predictor.seen(state, cart(), 0.03, 0.03) is state
