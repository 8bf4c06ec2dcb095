"""When a robot has fallen: how its base leans, by rotations of another library."""

import math

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.model import RobotState
from controlit_ros.servo.fall_watch import FallWatch

VERTICAL = np.array([0.0, 0.0, 1.0])


class Faults:
    def __init__(self):
        self.told = []

    def fail(self, topic, text, now):
        self.told.append((topic, text(), now))


@pytest.fixture
def faults():
    return Faults()


def turned(rotation, length=1.0):
    """Return a state whose base is turned; quaternions come in any length around one."""
    state = RobotState(("joint",))
    state.base_orientation[:] = length * pin.Quaternion(rotation).coeffs()
    return state


def tilt_between(first, second):
    """Return the angle between the vertical in the axes of two bases [rad]."""
    return math.acos(np.clip((first.T @ VERTICAL) @ (second.T @ VERTICAL), -1.0, 1.0))


def random_rotation(rng, size):
    return pin.exp3(rng.normal(size=3) * size)


def test_it_has_fallen_when_the_base_leans_by_more_than_the_limit(rng, faults):
    limit, seen = 0.8, set()
    for _ in range(300):
        start, turn = random_rotation(rng, 3.0), random_rotation(rng, rng.choice([0.3, 1.0]))
        tilt = tilt_between(start, turn @ start)
        if abs(tilt - limit) < 1e-6:
            continue
        watch = FallWatch(limit, faults)
        watch.look(turned(start, rng.uniform(0.9, 1.1)), 0.0)
        assert not watch.has_fallen
        watch.look(turned(turn @ start, rng.uniform(0.9, 1.1)), 0.1)
        assert watch.has_fallen == (tilt > limit)
        seen.add(watch.has_fallen)
    assert seen == {True, False}


def test_turns_about_the_vertical_do_not_count(rng, faults):
    start, watch = random_rotation(rng, 0.3), FallWatch(0.1, faults)
    for angle in np.linspace(0.0, 7.0, 50):
        watch.look(turned(pin.exp3(angle * VERTICAL) @ start), angle)
    assert not watch.has_fallen
    assert not faults.told


def test_it_has_fallen_until_it_is_no_longer_controlled(faults):
    watch, upright = FallWatch(0.8, faults), turned(np.eye(3))
    watch.look(upright, 0.0)
    watch.look(turned(pin.exp3(np.array([1.0, 0.0, 0.0]))), 0.1)
    watch.look(upright, 0.2)
    assert watch.has_fallen
    assert [now for _, _, now in faults.told] == [0.1, 0.2]
    assert "leans by 1.00 rad" in faults.told[-1][1]
    assert "at most 0.8 (fall_tilt)" in faults.told[-1][1]
    watch.restart()
    assert not watch.has_fallen
    watch.look(upright, 0.3)
    assert len(faults.told) == 2


def test_the_share_of_effort_of_a_fallen_robot_is_small_and_decreases(faults):
    watch = FallWatch(0.8, faults)
    watch.look(turned(np.eye(3)), 0.0)
    watch.look(turned(pin.exp3(np.array([1.0, 0.0, 0.0]))), 5.0)
    shares = [watch.effort_share(now) for now in np.linspace(5.0, 20.0, 50)]
    assert shares[0] == pytest.approx(0.2)
    assert (np.diff(shares) < 0.0).all()
    assert 0.0 <= shares[-1] < 0.001


def test_what_cannot_fall_is_not_watched(faults):
    watch = FallWatch(math.inf, faults)
    for angle in (0.0, 3.0):
        watch.look(turned(pin.exp3(np.array([angle, 0.0, 0.0]))), angle)
    assert not watch.has_fallen
    assert not faults.told
