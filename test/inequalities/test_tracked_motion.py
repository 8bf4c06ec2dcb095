"""Where a thing is between messages: on its way, without jumps, and never far off what is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS
from shaped_robots import kept, shaped, written

from controlit_ros.inequalities.obstacle import Obstacle
from controlit_ros.inequalities.tracked_motion import FASTEST, LONGEST, TrackedMotion

PERIOD, SMOOTHING, MOST = 1e-3, 0.02, 0.015
STILL = np.zeros(3)


def follow(motion, told, speed=STILL, smoothing=SMOOTHING):
    """Let a cycle pass; return the estimate."""
    motion.update(np.asarray(told, float), np.asarray(speed, float), smoothing, MOST, PERIOD)
    found = motion.position.copy(), motion.velocity.copy()
    motion.go_on()
    return found


@given(seed=SEEDS, every=st.integers(1, 30), tells=st.booleans())
def test_steady_motion_is_followed_without_lag_however_often_it_is_told(seed, every, tells):
    rng = np.random.default_rng(seed)
    start, velocity = rng.normal(size=3), 0.3 * rng.normal(size=3)
    motion, told = TrackedMotion(), start
    for cycle in range(600):
        true = start + cycle * PERIOD * velocity
        told = true if cycle % every == 0 else told
        position, found = follow(motion, told, velocity if tells else STILL)
        if cycle > 400:
            np.testing.assert_allclose(position, true, atol=1e-6)
            np.testing.assert_allclose(found, velocity, atol=1e-4)


def test_what_was_wrong_is_made_good_without_a_jump_by_a_motion_that_is_told():
    motion = TrackedMotion()
    wrong = np.array([0.01, 0.0, 0.0])
    follow(motion, STILL, [0.0, 0.1, 0.0])
    places = [follow(motion, wrong, [0.0, 1e-9, 0.0]) for _ in range(300)]
    positions, velocities = (np.array(values) for values in zip(*places, strict=True))
    assert np.abs(np.diff(velocities, axis=0)).max() < 0.01 / SMOOTHING**2 * 1.1 * PERIOD
    middle = (velocities[1:] + velocities[:-1]) / 2
    np.testing.assert_allclose(np.diff(positions, axis=0) / PERIOD, middle, atol=2e-3)
    np.testing.assert_allclose(positions[-1], wrong, atol=1e-5)
    off = np.linalg.norm(positions - wrong, axis=1)
    assert off.max() <= MOST
    assert off[int(SMOOTHING / PERIOD)] > 1e-3  # not at once


@pytest.mark.parametrize("far", [[0.0, 0.0, 1.01 * MOST], [3.0, 0.0, 0.0]])
def test_what_is_farther_off_is_elsewhere_at_once(far):
    motion = TrackedMotion()
    for _ in range(50):
        follow(motion, STILL, [1e-9, 0.0, 0.0])
    position, _ = follow(motion, far, [1e-9, 0.0, 0.0])
    np.testing.assert_allclose(position, far, atol=1e-9)


@given(SEEDS)
def test_it_is_never_farther_off_than_allowed(seed):
    """Whatever is told: of news, only as far as a motion goes on that nobody denied."""
    rng = np.random.default_rng(seed)
    motion = TrackedMotion()
    for _ in range(200):
        told, speed = rng.normal(size=3) * rng.choice([1e-3, 0.05, 2.0]), rng.normal(size=3)
        for _ in range(rng.integers(1, 40)):
            position, velocity = follow(motion, told, speed)
            goes_on = np.linalg.norm(speed) * LONGEST
            assert np.linalg.norm(position - told) <= MOST + goes_on + 1e-9
            assert np.isfinite(velocity).all()


def test_nothing_is_thrown_by_two_messages_far_apart():
    motion = TrackedMotion()
    for _ in range(5):
        follow(motion, STILL)
    for _ in range(30):
        position, velocity = follow(motion, [2.0, 0.0, 0.0])
        np.testing.assert_array_equal(position, [2.0, 0.0, 0.0])
        np.testing.assert_array_equal(velocity, STILL)
    assert 2.0 / (5 * PERIOD) > FASTEST


@given(after=st.integers(2, 300), step=st.floats(1e-3, 1.0))
def test_one_message_is_no_motion(after, step):
    """Who is put elsewhere once was not on the way there."""
    motion = TrackedMotion()
    for _ in range(after):
        follow(motion, STILL)
    for _ in range(300):
        position, velocity = follow(motion, [step, 0.0, 0.0])
        assert position[0] <= step + 1e-12
    np.testing.assert_allclose(velocity, STILL, atol=1e-5)


def test_one_whose_messages_cease_comes_to_rest():
    motion, velocity = TrackedMotion(), np.array([0.2, 0.0, 0.0])
    for cycle in range(100):
        follow(motion, cycle // 10 * 10 * PERIOD * velocity, velocity)
    for _ in range(500):
        position, found = follow(motion, 90 * PERIOD * velocity, velocity)
    np.testing.assert_allclose(found, STILL, atol=1e-6)
    assert 0.0 < position[0] - 90 * PERIOD * 0.2 < 0.2 * LONGEST


def test_looking_twice_changes_nothing_and_without_smoothing_it_is_where_it_is_told():
    once, twice = TrackedMotion(), TrackedMotion()
    rng = np.random.default_rng(0)
    for cycle in range(100):
        told, speed = 1e-3 * cycle + 1e-3 * rng.normal(size=3), 0.1 * rng.normal(size=3)
        twice.update(told, speed, SMOOTHING, MOST, PERIOD)
        for a, b in zip(follow(once, told, speed), follow(twice, told, speed), strict=True):
            np.testing.assert_array_equal(a, b)
    plain = TrackedMotion()
    for told, speed in rng.normal(size=(20, 2, 3)):
        position, velocity = follow(plain, told, speed, smoothing=0.0)
        np.testing.assert_array_equal(position, told)
        np.testing.assert_array_equal(velocity, speed)


def test_an_obstacle_goes_on_between_two_messages_and_begins_anew():
    setup = shaped(np.random.default_rng(1))
    part = kept(Obstacle, setup, size=[0.1], position=[9.0, 0.0, 0.0], pairs=1, range=100.0)
    effort, distances = np.zeros(6), []
    for cycle in range(200):
        if cycle % 10 == 0:
            part.position.set([9.0 + 1e-3 * cycle, 0.0, 0.0])
        for _ in range(2):
            written(part, setup.model, setup.robot.nv)
        distances.append(part.parameters["distance"].value)
        part.take_command(effort)
    steps = np.diff(distances[100:])
    assert steps.min() > 0.5 * steps.max() > 0.0  # no stairs
    part.position.set([9.2 + 1e-3, 0.0, 0.0])
    part.restart()
    written(part, setup.model, setup.robot.nv)
    part.smoothing.set(0.0)
    found = part.parameters["distance"].value
    written(part, setup.model, setup.robot.nv)
    assert part.parameters["distance"].value == found
