"""A servo thread that is stuck or dead is noticed within 100 ms, and nobody else is accused."""

import threading
from contextlib import suppress
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorder import Recorder

from controlit_ros.errors import ControlItError
from controlit_ros.servo import ServoStatus, servo_thread
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.servo.ros_time_clock import RosTimeClock
from controlit_ros.servo.servo_status import I_HEARTBEAT
from controlit_ros.servo.servo_thread import ServoThreadError
from controlit_ros.servo.steady_clock import SteadyClock

KNOWN_WITHIN = 0.1  # [s]


@pytest.fixture(autouse=True)
def nobody_is_stuck():
    """Here somebody is."""


class Watched:
    """A status whose owner beats when the test says so, and who looks at it."""

    def __init__(self, frequency=1000.0, *, beats=True):
        self.status = ServoStatus()
        self.runs = True
        clock = SimpleNamespace(frequency=frequency, beats=beats)
        self.liveliness = Liveliness(self.status, clock, lambda: self.runs)
        self.changes = []
        self.liveliness.observe(lambda: self.changes.append(self.liveliness.state))
        self.now = 1000.0
        self.beat()

    def beat(self):
        self.status.numbers[I_HEARTBEAT] += 1.0

    def look(self, duration, step=0.01, *, beating=False):
        """Look every `step` for `duration` [s]; return when a change was first seen."""
        for k in range(1, round(duration / step) + 1):
            if beating:
                self.beat()
            self.now += step
            self.liveliness.look(self.now)
            if self.changes:
                return k * step
        return None


def test_silence_is_known_in_time_and_so_is_its_end():
    watched = Watched()
    assert watched.look(1.0, beating=True) is None
    assert watched.look(1.0) <= KNOWN_WITHIN
    assert watched.changes == ["stuck"]
    assert "no cycle for more than 0.08 s" in watched.liveliness.complaint
    watched.changes.clear()
    assert watched.look(1.0, beating=True) <= 0.01
    assert watched.changes == ["inactive"]
    assert watched.liveliness.complaint == ""


@given(gaps=st.lists(st.floats(0.0, 100.0), min_size=1, max_size=20))
def test_a_watcher_that_stood_still_itself_accuses_nobody(gaps):
    watched = Watched()
    for gap in gaps:
        watched.beat()
        watched.look(gap, step=max(gap, 1e-3))
        watched.look(0.02)
    assert watched.changes == []


@given(frequency=st.floats(0.5, 10_000.0))
def test_a_slow_servo_is_given_its_periods(frequency):
    watched = Watched(frequency)
    period = 1.0 / frequency
    for _ in range(3):
        watched.beat()
        watched.look(max(period, 0.01), step=max(period / 200, 0.01))
    assert watched.changes == []
    assert watched.look(max(3.0 * period, KNOWN_WITHIN)) is not None


@pytest.mark.parametrize("reason", ["unconfigured", "time that waits for the caller"])
def test_a_servo_that_is_not_to_run_is_not_missed(reason):
    watched = Watched(beats=reason == "unconfigured")
    watched.runs = reason != "unconfigured"
    assert watched.look(10.0) is None
    assert watched.liveliness.state == "inactive"


def test_a_dead_thread_is_known_at_the_next_look():
    watched = Watched()
    watched.status.tell_end(has_ended=True)
    assert watched.look(1.0, beating=True) == 0.01
    assert watched.changes == ["dead"]


CLOCKS = [SteadyClock, RosTimeClock]


class Breaking(Recorder):
    """A coordinator without the guard of the real one."""

    def servo_update(self, now):
        super().servo_update(now)
        self.status.beat()


@pytest.mark.parametrize("clock_type", CLOCKS)
@pytest.mark.parametrize("error", [ValueError("broken"), SystemExit(3)], ids=repr)
def test_a_thread_that_dies_says_so(clock_type, error, poll, caplog):
    def work(cycle):
        if cycle == 20:
            raise error

    clock, recorder = clock_type(1000.0), Breaking(work)
    with suppress(ServoThreadError):  # which is what it says when the end comes during the start
        clock.start(recorder)
    liveliness = Liveliness(recorder.status, clock, lambda: True)
    liveliness.start()
    try:
        poll(lambda: liveliness.state == "dead")
        poll(lambda: "has ended" in liveliness.complaint)
    finally:
        liveliness.stop()
    clock.stop()
    assert repr(error) in caplog.text
    recorder._work = lambda _cycle: None
    clock.start(recorder)  # and can be started again
    assert not recorder.status.has_ended
    clock.stop()
    assert not recorder.status.has_ended


@pytest.mark.parametrize("clock_type", CLOCKS)
def test_a_thread_that_is_stuck_is_noticed_and_not_waited_for(clock_type, poll, monkeypatch):
    monkeypatch.setattr(servo_thread, "STOP_PATIENCE", 0.05)
    release = threading.Event()
    clock, recorder = clock_type(1000.0), Breaking(lambda k: release.wait() if k == 20 else None)
    clock.start(recorder)
    liveliness = Liveliness(recorder.status, clock, lambda: True)
    liveliness.start()
    try:
        poll(lambda: liveliness.state == "stuck")
        with pytest.raises(ServoThreadError, match="has not come to the end of its cycle"):
            clock.stop()
    finally:
        release.set()
        liveliness.stop()
    assert isinstance(ServoThreadError(""), ControlItError)


def test_time_that_stands_still_is_no_fault_of_the_servo(poll):
    clock = RosTimeClock(1000.0)
    clock.parameter("use_sim_time").set(True)
    recorder = Breaking()
    clock.start(recorder)
    try:
        beats = [recorder.status.heartbeat]
        for _ in range(5):
            poll(lambda: recorder.status.heartbeat != beats[-1])
            beats.append(recorder.status.heartbeat)
        assert recorder.times == []
    finally:
        clock.stop()
