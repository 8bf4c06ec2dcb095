"""The plan of the centre of mass, against the differential equations it solves."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from controlit_ros.locomotion.dcm_plan import DcmPlan, first_dcm
from controlit_ros.locomotion.vrp_segment import VrpSegment

EXACT = {"rtol": 1e-10, "atol": 1e-12, "method": "DOP853"}
SEEDS = range(8)


def some_plan(seed):
    """Return ω, segments and a first position; times and ways over three orders of magnitude."""
    random = np.random.default_rng(seed)
    omega = 10 ** random.uniform(-0.5, 1.0)
    size = 10 ** random.uniform(-2.0, 1.0)
    points = random.normal(scale=size, size=(7, 3))
    points[2] = points[1]  # a single support
    durations = 10 ** random.uniform(-1.5, 0.5, size=6) / omega
    segments = [
        VrpSegment(duration, points[i], points[i + 1]) for i, duration in enumerate(durations)
    ]
    return omega, segments, random.normal(scale=size, size=3)


def place_in(segment, time):
    return segment.start + (segment.end - segment.start) * time / segment.duration


def repellent_point(segments, time):
    for segment in segments:
        if time <= segment.duration:
            return place_in(segment, time)
        time -= segment.duration
    return segments[-1].end


@pytest.mark.parametrize("seed", SEEDS)
def test_the_divergent_part_is_that_of_the_pendulum(seed):
    omega, segments, position = some_plan(seed)
    plan = DcmPlan(omega, segments, position)
    dcm, time = segments[-1].end, plan.duration  # backwards it is stable
    for segment in reversed(segments):
        until = time - segment.duration
        found = solve_ivp(
            lambda t, x, s=segment, begin=until: omega * (x - place_in(s, t - begin)),
            (time, until),
            dcm,
            **EXACT,
        )
        dcm, time = found.y[:, -1], until
        np.testing.assert_allclose(plan.at(max(time, 0.0)).dcm, dcm, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(first_dcm(omega, segments), dcm, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_centre_of_mass_follows_the_divergent_part(seed):
    omega, segments, position = some_plan(seed)
    plan = DcmPlan(omega, segments, position)
    time = 0.0
    for segment in segments:
        end = time + segment.duration
        found = solve_ivp(lambda t, c: omega * (plan.at(t).dcm - c), (time, end), position, **EXACT)
        position, time = found.y[:, -1], end
        np.testing.assert_allclose(plan.at(time).position, position, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_and_acceleration_belong_to_it_without_a_jump(seed):
    omega, segments, position = some_plan(seed)
    plan = DcmPlan(omega, segments, position)
    scale = max(np.abs(segment.start).max() for segment in segments)
    tiny = 1e-5 / omega
    joints = np.cumsum([segment.duration for segment in segments])
    for time in (*joints, *(joints - 0.3 * segments[-1].duration)):
        if time < tiny:
            continue
        before, at, after = (plan.at(time + shift) for shift in (-tiny, 0.0, tiny))
        velocity = (after.position - before.position) / (2 * tiny)
        acceleration = (after.velocity - before.velocity) / (2 * tiny)
        np.testing.assert_allclose(at.velocity, velocity, atol=1e-3 * scale * omega)
        np.testing.assert_allclose(at.acceleration, acceleration, atol=1e-3 * scale * omega**2)
        np.testing.assert_allclose(at.repellent_point, repellent_point(segments, time), atol=1e-9)


def test_it_rests_in_the_end_wherever_it_began():
    omega, segments, position = some_plan(3)
    plan = DcmPlan(omega, segments, position)
    last = plan.at(plan.duration + 40.0 / omega)
    np.testing.assert_allclose(last.position, segments[-1].end, atol=1e-9)
    np.testing.assert_allclose(last.velocity, 0.0, atol=1e-9)
    np.testing.assert_allclose(last.acceleration, 0.0, atol=1e-9)


def test_before_the_beginning_is_the_beginning():
    omega, segments, position = some_plan(4)
    plan = DcmPlan(omega, segments, position)
    np.testing.assert_allclose(plan.at(-1.0).position, position, rtol=1e-12)
