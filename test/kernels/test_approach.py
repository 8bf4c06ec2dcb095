"""Gaps and joint ranges that can always be kept, whatever is asked for within the bounds."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from robots_for_tests import SEEDS

from controlit_ros.kernels import drive_reach, joint_bounds, least_gap_acceleration

PERIOD = 1e-3  # [s]
ROUNDING = 1e-9
ANY = np.full(1, np.inf)  # of drives without a limit


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
    joint_bounds(
        one,
        one,
        -end,
        end,
        end,
        10.0 * one,
        -ANY,
        ANY,
        0.02,
        PERIOD,
        np.zeros((4, 1)),
        lower,
        upper,
    )
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
    low, high, work = np.zeros(n), np.zeros(n), np.zeros((4, n))
    any_drive = np.full(n, np.inf)
    asked = rng.uniform(-100.0, 100.0, n)
    reached = np.zeros(n)
    for cycle in range(3000):
        shortfall = joint_bounds(
            position, velocity, lower, upper, speed, most, -any_drive, any_drive, reaction, PERIOD,
            work, low, high,
        )  # fmt: skip
        assert shortfall == 0.0  # which is about those that cannot be kept
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


@given(st.floats(0.001, 1.0), st.floats(0.1, 3.0), st.floats(0.5, 40.0), st.booleans())
def test_a_joint_too_fast_to_be_stopped_is_told_with_what_is_lacking(gap, rate, drive, is_upper):
    sign, reaction = (1.0 if is_upper else -1.0), 0.02
    low, high, work = np.zeros(1), np.zeros(1), np.zeros((4, 1))
    found = joint_bounds(
        np.array([sign * (1.0 - gap)]), np.array([sign * rate]), -np.ones(1), np.ones(1),
        np.array([10.0]), np.array([50.0]), np.array([-drive]), np.array([drive]), reaction, PERIOD,
        work, low, high,
    )  # fmt: skip
    stopping = rate**2 / (2.0 * max(gap, 0.5 * rate * reaction))
    weakest = 0.02 * 50.0  # of a drive that holds no more
    assert found == pytest.approx(max(0.0, stopping - max(drive, weakest)))


def bounds_beside(position, velocity, drive, most=50.0, speed=2.0):
    """Return (least, largest) acceleration of a joint with the range from −1 to 1 [rad]."""
    low, high, work = np.zeros(1), np.zeros(1), np.zeros((4, 1))
    joint_bounds(
        np.array([position]), np.array([velocity]), -np.ones(1), np.ones(1), np.array([speed]),
        np.array([most]), np.array([-drive]), np.array([drive]), 0.02, PERIOD, work, low, high,
    )  # fmt: skip
    return low.item(), high.item()


@given(st.floats(0.01, 0.5), st.floats(1.0, 40.0))
def test_a_joint_that_rests_beyond_its_end_is_asked_back_with_what_its_drive_gives(beyond, drive):
    asked = min(drive, least(-beyond, 0.0, drive, 0.02))
    low, high = bounds_beside(-1.0 - beyond, 0.0, drive)
    assert low == pytest.approx(asked)
    assert high == pytest.approx(50.0)
    low, high = bounds_beside(1.0 + beyond, 0.0, drive)
    assert high == pytest.approx(-asked)
    assert low == pytest.approx(-50.0)


@given(st.floats(0.01, 1.0), st.floats(5.0, 40.0))
def test_a_joint_that_is_too_fast_is_slowed_down_with_what_its_drive_gives(beyond, drive):
    low, high = bounds_beside(-0.9, 2.0 + beyond, drive)
    assert high == pytest.approx(-min(drive, beyond / 0.02))
    low, high = bounds_beside(0.9, -2.0 - beyond, drive)
    assert low == pytest.approx(min(drive, beyond / 0.02))


def test_of_a_drive_that_cannot_hold_its_joint_little_is_asked():
    low, _ = bounds_beside(-1.3, 0.0, -5.0)
    assert 0.0 < low <= 0.02 * 50.0


@given(SEEDS, st.floats(2.0, 60.0), st.floats(1.0, 60.0))
def test_a_weak_drive_keeps_its_joint_within_its_range(seed, drive, most):
    """Whatever is asked, no bound takes more than it gives."""
    rng = np.random.default_rng(seed)
    position, velocity, asked = 0.0, 0.0, 0.0
    for cycle in range(3000):
        if cycle % 300 == 0:
            asked = rng.choice([-100.0, 100.0])
        low, high = bounds_beside(position, velocity, drive, most)
        assert low <= drive + ROUNDING
        assert high >= -drive - ROUNDING
        position, velocity = step(position, velocity, np.clip(asked, low, high))
        assert abs(position) <= 1.0 + ROUNDING


@given(st.floats(-0.5, 0.5), st.floats(1.0, 40.0), st.sampled_from([-1.0, 1.0]))
@example(-5e-324, 1.0, -1.0)  # times half it would be nothing
@example(5e-324, 1.0, 1.0)
def test_bounds_do_not_jump_at_the_end_of_the_range_and_at_the_speed_limit(rate, drive, side):
    """Wherever they change most within a hair about it."""
    for at, moving in ((side, rate), (0.3, 2.0 * side)):
        around = [
            bounds_beside(at + hair, moving + (hair if at == 0.3 else 0.0), drive)
            for hair in np.linspace(-1e-9, 1e-9, 21)
        ]
        assert np.ptp(around, axis=0).max() < 1e-3


@given(st.floats(0.001, 0.05), st.floats(2.0, 40.0))
def test_a_weak_drive_brings_its_joint_back(beyond, drive):
    position, velocity, reaction = 1.0 + beyond, 0.0, 0.02
    cycles = int((beyond / (drive * reaction) + 10.0 * reaction) / PERIOD)
    for _ in range(cycles):
        _, high = bounds_beside(position, velocity, drive)
        assert high >= -drive - ROUNDING
        position, velocity = step(position, velocity, high)
    assert position <= 1.0 + 0.02 * beyond


@given(SEEDS)
def test_what_a_drive_gives_is_what_forward_dynamics_make_of_its_effort(seed):
    """Of a plain system `A q̈ + h = τ`, one drive at its limit and the others as they hold."""
    rng = np.random.default_rng(seed)
    n, share = 4, 0.7
    half = rng.normal(size=(n, n))
    A, h, held = half @ half.T + np.eye(n), rng.normal(size=n), rng.normal(size=n)
    limit, slowest, fastest = rng.uniform(1.0, 9.0, n), np.zeros(n), np.zeros(n)
    limit[2] = np.inf
    drift = -np.linalg.solve(A, held - h)
    drive_reach(np.linalg.inv(A), held, drift, limit, share, slowest, fastest)
    for joint in (0, 1, 3):
        for found, end in ((slowest, -limit[joint]), (fastest, limit[joint])):
            effort = held.copy()
            effort[joint] += share * (end - held[joint])
            assert found[joint] == pytest.approx(np.linalg.solve(A, effort - h)[joint])
    assert (slowest[2], fastest[2]) == (-np.inf, np.inf)
