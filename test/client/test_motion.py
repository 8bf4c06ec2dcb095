"""A motion against a clock that stands still, jumps and runs back."""

from types import SimpleNamespace

import numpy as np
import pytest

from controlit_ros.client.motion import LONGEST_STEP, Motion, MotionState
from controlit_ros.paths.trajectory import TrajectorySample

SPEED, DURATION = 0.5, 1.0  # [m/s, s]


class Straight:
    """A path along x at constant speed; a `Path`."""

    start, end = 2.0, 2.0 + DURATION

    def at(self, time):
        place, speed = np.zeros(3), np.array([SPEED, 0.0, 0.0])
        place[0] = SPEED * (time - self.start)
        return TrajectorySample(place, speed, np.zeros(3))


@pytest.fixture
def motion():
    link = SimpleNamespace(
        watch=SimpleNamespace(life=1, is_active=True),
        check_motion=lambda _task, _life: None,
        beat=SimpleNamespace(notify=lambda: None),
    )
    outlet = SimpleNamespace(is_heard=True, send=lambda _sample: None)
    made = Motion("Hand", Straight(), outlet, link, SimpleNamespace(begin=lambda _now: None))
    made.begin(10.0)
    made.link = link
    return made


@pytest.mark.parametrize(
    ("passed", "counted"),
    [(0.01, 0.01), (LONGEST_STEP, LONGEST_STEP), (0.5, LONGEST_STEP), (1e6, LONGEST_STEP), (-3, 0)],
)
def test_a_goal_never_jumps_however_time_does(motion, passed, counted):
    now = 10.0
    for step, expected in ((0.1 * LONGEST_STEP, 0.1 * LONGEST_STEP), (passed, counted)):
        before = motion.sample().value[0]
        now += step
        assert motion.step(now)
        assert motion.sent.value[0] - before == pytest.approx(SPEED * expected)
    before = motion.sent.value[0]
    assert motion.step(now + 0.01)  # what was left out is not caught up with
    assert motion.sent.value[0] - before == pytest.approx(SPEED * 0.01)


def test_its_time_stands_still_while_the_servo_is_stuck(motion):
    motion.link.watch.is_active = False
    for now in np.arange(10.01, 10.5, 0.01):
        assert motion.step(now)
    assert motion.sent is None
    motion.link.watch.is_active = True
    assert motion.step(10.5)
    assert motion.sent.value[0] <= SPEED * LONGEST_STEP
    assert motion.state is MotionState.MOVING
