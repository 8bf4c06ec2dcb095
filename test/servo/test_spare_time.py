"""Work beside a servo goes on only while the servo rests; on a clock of the test's own."""

import math
import sys
from itertools import pairwise

import pytest

from controlit_ros.servo import spare_time
from controlit_ros.servo.spare_time import MARGIN, PATIENCE, TURN, SpareTime

PERIOD, BUSY = 2e-3, 1.2e-3  # [s]
STEP = 2e-6  # [s] of the other work, between two looks


class Servo:
    """Works at the beginning of each period and rests then; time passes as others go on."""

    def __init__(self, *, rests=True):
        self.now = 0.0
        self.spare = SpareTime()
        self.spare._gate = self
        self.spare.end()
        self._rests = rests
        self._resting = False

    def monotonic(self):
        self.pass_to(self.now + STEP)
        return self.now

    def acquire(self, timeout):
        """Wait as the gate does: for the next rest, which opens it, or for the time stated."""
        rest = (self.now // PERIOD) * PERIOD + BUSY
        rest += PERIOD if rest <= self.now else 0.0
        self.pass_to(min(rest + STEP if self._rests else math.inf, self.now + timeout))

    def release(self):
        """Open the gate; who waits looks himself."""

    def pass_to(self, end):
        if end // PERIOD > self.now // PERIOD:
            self.spare.end()
            self._resting = False
        self.now = end
        if self._rests and not self._resting and end % PERIOD >= BUSY:
            self.spare.begin((end // PERIOD + 1) * PERIOD)
            self._resting = True


@pytest.fixture
def serving(monkeypatch):
    def make(**how):
        servo = Servo(**how)
        monkeypatch.setattr(spare_time, "monotonic", servo.monotonic)
        return servo

    return make


def _nothing():
    pass


def _times_of_work(servo, count):
    times = []
    with servo.spare.only():
        for _ in range(count):
            _nothing()
            times.append(servo.now)
    return times


def test_work_goes_on_only_while_the_servo_rests(serving):
    times = _times_of_work(serving(), 2000)
    assert times[-1] > 3 * PERIOD
    inside = [time % PERIOD for time in times]
    assert min(inside) >= BUSY
    assert max(inside) < PERIOD - MARGIN + 3 * STEP


def test_a_servo_that_never_rests_is_disturbed_for_short_turns_alone(serving):
    servo = serving(rests=False)
    times = _times_of_work(servo, 500)
    turns = 1 + sum(b - a > PATIENCE / 2 for a, b in pairwise(times))
    worked = sum(b - a for a, b in pairwise(times) if b - a < PATIENCE / 2)
    assert turns > 10
    assert worked / turns < TURN + 4 * STEP
    assert servo.now < 1.2 * turns * PATIENCE


def test_work_beside_no_servo_is_not_held_up():
    spare = SpareTime()
    spare._gate = None  # nobody waits at it
    with spare.only():
        _nothing()
    spare.end()
    spare.begin(math.inf)  # as a servo that has ended leaves it


def test_nothing_is_left_behind_when_the_work_fails(serving):
    servo = serving()
    with pytest.raises(ValueError, match="broken"), servo.spare.only():
        raise ValueError("broken")
    assert sys.getprofile() is None
    before = servo.now
    _nothing()
    assert servo.now == before


def test_a_profiler_is_left_alone(serving):
    servo = serving()
    seen = []

    def profile(_frame, event, _argument):
        seen.append(event)

    sys.setprofile(profile)
    try:
        with servo.spare.only():
            _nothing()
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)
    assert servo.now == 0.0
    assert "call" in seen


def test_the_gate_opens_for_who_waits_and_never_blocks_the_servo():
    spare = SpareTime()
    spare.begin(1.0)
    assert spare._gate.locked()  # nobody waits
    spare._is_awaited = True
    spare.begin(2.0)
    assert not spare._gate.locked()
    spare._is_awaited = True
    spare.begin(3.0)  # open already
