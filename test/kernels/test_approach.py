"""Gaps and joint ranges that can always be kept, whatever is asked for within the bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.kernels import joint_bounds, least_gap_acceleration

PERIOD = 1e-3  # [s]
ROUNDING = 1e-9


def least(gap, rate, braking, reaction, period=PERIOD, spare=10.0):
    result = np.zeros(1)
    one = [np.array([float(value)]) for value in (gap, rate, braking)]
    least_gap_acceleration(*one, spare, reaction, period, result)
    return result[0]


def step(gap, rate, acceleration, period=PERIOD):
    return gap + rate * period + 0.5 * acceleration * period**2, rate + acceleration * period


def allowed(gap, braking, reaction):
    """Return s of `s²/(2 a) + s T = h`, from the quadratic formula."""
    return -braking * reaction + np.sqrt((braking * reaction) ** 2 + 2.0 * braking * gap)


@given(SEEDS, st.floats(0.1, 50.0), st.floats(0.005, 0.1), st.sampled_from([1e-4, 1e-3, 5e-3]))
def test_a_gap_stays_open_whatever_is_asked_for_beyond_the_bound(seed, braking, reaction, period):
    rng = np.random.default_rng(seed)
    gap = rng.uniform(1e-4, 1.0)
    rate = rng.uniform(-1.0, 1.0) * allowed(gap, braking, reaction)
    for _ in range(500):
        bound = least(gap, rate, braking, reaction, period)
        assert bound <= braking * (1.0 + 1e-9) + ROUNDING / period
        asked = rng.uniform(-100.0, 20.0)
        before = gap, rate
        gap, rate = step(gap, rate, max(asked, bound), period)
        assert gap >= -ROUNDING
        assert rate >= -allowed(max(gap, 0.0), braking, reaction) - 1e-7
        if before[1] < 0.0 < rate:  # it turns between the samples
            acceleration = (rate - before[1]) / period
            assert before[0] - before[1] ** 2 / (2.0 * acceleration) >= -ROUNDING


@given(st.floats(0.01, 1.0), st.floats(0.5, 20.0))
def test_the_bound_is_no_more_cautious_than_braking_in_time_needs(gap, braking):
    """What always asks for the bound comes close, and takes little longer than braking at once."""
    start, rate, reaction = gap, 0.0, 0.01
    time = 0.0
    while gap > 0.05 * start:
        gap, rate = step(gap, rate, max(-braking, least(gap, rate, braking, reaction)))
        time += PERIOD
        assert time < 100.0
    fastest = 2.0 * np.sqrt(start / braking)  # speeds up and brakes with the same
    assert time < 1.5 * fastest + 5.0 * reaction


def test_without_an_end_there_is_no_bound():
    for end in (np.inf, 1.7e308, 1e31):  # some files of robots write the largest number for none
        assert least(end, -5.0, 1.0, 0.02) == -np.inf


def test_a_range_without_ends_that_is_written_as_numbers_leaves_the_acceleration():
    lower, upper, end = np.zeros(1), np.zeros(1), np.array([1.7e308])
    one = np.ones(1)
    joint_bounds(one, one, -end, end, end, 10.0 * one, 0.02, PERIOD, np.zeros((2, 1)), lower, upper)
    assert (lower.item(), upper.item()) == (-10.0, 10.0)


@given(SEEDS)
def test_what_is_too_near_already_moves_away_and_stays_away(seed):
    rng = np.random.default_rng(seed)
    gap, rate, braking, reaction = -rng.uniform(0.0, 0.1), rng.uniform(-0.2, 0.2), 5.0, 0.02
    for _ in range(5000):
        bound = least(gap, rate, braking, reaction, spare=2.0)
        assert bound <= 2.0 * braking
        gap, rate = step(gap, rate, bound)
    assert gap >= -1e-3
    assert abs(rate) < 0.05


def test_infinite_braking_is_a_speed_in_parts_of_the_gap():
    reaction = 0.3
    gap = 0.1
    rate = -gap / reaction
    for _ in range(200):
        gap, rate = step(gap, rate, least(gap, rate, np.inf, reaction))
        assert rate == pytest.approx(-gap / reaction, rel=1e-6)


@given(SEEDS)
def test_joints_stay_within_range_speed_and_acceleration(seed):
    rng = np.random.default_rng(seed)
    n, reaction = 4, 0.02
    lower, upper = -rng.uniform(0.05, 2.0, n), rng.uniform(0.05, 2.0, n)
    lower[0], upper[1] = -np.inf, np.inf
    speed, most = rng.uniform(0.2, 3.0, n), rng.uniform(2.0, 40.0, n)
    position, velocity = np.zeros(n), np.zeros(n)
    low, high, work = np.zeros(n), np.zeros(n), np.zeros((2, n))
    asked = rng.uniform(-100.0, 100.0, n)
    reached = np.zeros(n)
    for cycle in range(3000):
        joint_bounds(
            position, velocity, lower, upper, speed, most, reaction, PERIOD, work, low, high
        )
        assert (low <= high).all()
        assert (np.abs(low) <= most).all()
        assert (np.abs(high) <= most).all()
        if cycle % 500 == 0:
            asked = rng.uniform(-100.0, 100.0, n)
        position, velocity = step(position, velocity, np.clip(asked, low, high))
        assert (position >= lower - ROUNDING).all()
        assert (position <= upper + ROUNDING).all()
        assert (np.abs(velocity) <= speed * (1.0 + 1e-9)).all()
        reached = np.maximum(reached, np.abs(velocity) / speed)
    assert reached.max() > 0.9  # the bounds leave room
