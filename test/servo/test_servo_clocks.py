"""Clocks: exact simulated time; absolute deadlines of the steady clock; its real-time set-up."""

import gc
import itertools
import math
import os
import sys
import threading
import time

import pytest
from own_threads import threads_named
from patience import GENEROUS
from recorder import Recorder

from controlit_ros.collections_of_garbage import look_seldom
from controlit_ros.errors import ControlItError
from controlit_ros.servo import steady_clock
from controlit_ros.servo.real_time import (
    NOT_REAL_TIME,
    RealTimeSettings,
    enter_real_time,
    kept_off,
)
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.servo.spare_time import SpareTime
from controlit_ros.servo.steady_clock import SteadyClock

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def leave_the_process_as_it_was():
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    gc.unfreeze()


# ---- simulated


@pytest.mark.parametrize("frequency", [1000.0, 333.0, 7.0])
def test_simulated_time_is_exact(frequency):
    clock, recorder = SimulatedClock(frequency), Recorder()
    clock.start(recorder)
    clock.advance(10_000)
    assert recorder.times == [k / frequency for k in range(10_000)]
    assert clock.now == 10_000 / frequency


def test_simulated_clock_must_be_started():
    clock = SimulatedClock(1000.0)
    with pytest.raises(ControlItError, match="was not started"):
        clock.advance()
    clock.start(Recorder())
    clock.advance()
    clock.stop()
    clock.stop()
    with pytest.raises(ControlItError, match="was not started"):
        clock.advance()


# ---- steady, in a time of our own


class FakeTime:
    """A monotonic clock that sleeps too long, as operating systems do."""

    def __init__(self, monkeypatch, oversleep):
        self.now = 5000.0
        self._oversleep = itertools.cycle(oversleep)
        monkeypatch.setattr(steady_clock, "monotonic", self.monotonic)
        monkeypatch.setattr(steady_clock, "sleep", self.sleep)

    def monotonic(self):
        self.now += 1e-7
        return self.now

    def sleep(self, duration):
        assert duration >= 0.0
        self.now += duration + next(self._oversleep)


def play(clock, recorder, cycles):
    """Run a steady clock on this thread until so many cycles are over."""
    work = recorder._work

    def until_the_end(cycle):
        work(cycle)
        if cycle == cycles:
            clock._stopping = True

    recorder._work = until_the_end
    clock._run(recorder, lambda: None)


def test_steady_deadlines_are_absolute(monkeypatch):
    fake = FakeTime(monkeypatch, [10e-6, 60e-6, 200e-6])
    clock, recorder = SteadyClock(1000.0), Recorder(lambda _: fake.sleep(300e-6))
    play(clock, recorder, 20_000)
    (begin,) = recorder.started
    for k, now in enumerate(recorder.times):
        assert -1e-9 <= now - (begin + k / 1000.0) < 200e-6
    assert max(recorder.lateness) < 200e-6
    assert recorder.latency.overruns == 0


def test_steady_overruns_are_counted_and_skipped(monkeypatch):
    fake = FakeTime(monkeypatch, [0.0])
    long = {10: 2.5e-3, 20: 1.2e-3, 30: 10.1e-3}
    clock = SteadyClock(1000.0)
    recorder = Recorder(lambda cycle: fake.sleep(long.get(cycle, 100e-6)))
    play(clock, recorder, 100)
    assert recorder.latency.overruns == 3
    (begin,) = recorder.started
    ticks = [round((now - begin) * 1000.0) for now in recorder.times]
    skipped = {10: 3, 20: 2, 30: 11}
    assert [b - a for a, b in itertools.pairwise(ticks)] == [
        skipped.get(k, 1) for k in range(1, 100)
    ]
    assert max(recorder.lateness) < 1e-6


@pytest.mark.parametrize("late", [0.4e-3, 0.7e-3, 0.95e-3, 2.9e-3])
def test_a_cycle_that_begins_late_is_not_followed_at_once(monkeypatch, late):
    fake = FakeTime(monkeypatch, [late] + 9 * [0.0])

    def work(_cycle):
        fake.now += 100e-6

    clock, recorder = SteadyClock(1000.0), Recorder(work)
    clock.parameter("rehearse").set(False)
    play(clock, recorder, 1000)
    (begin,) = recorder.started
    periods = [b - a for a, b in itertools.pairwise(recorder.times)]
    assert min(periods) > 0.75e-3 - 1e-9
    on_time = [lateness for lateness in recorder.lateness if lateness < 1e-6]
    assert len(on_time) > 0.5 * len(recorder.lateness)  # it returns to the deadlines
    ticks = [int((now - begin) * 1000.0 + 1e-3) for now in recorder.times]
    is_whole = late < 0.9e-3  # each deadline has its cycle unless one ends after the next
    assert (len(set(ticks)) == ticks[-1] - ticks[0] + 1) == is_whole


@pytest.mark.parametrize("late", [0.3e-3, 0.5e-3, 0.8e-3])
def test_a_machine_that_always_wakes_late_makes_a_cycle_for_each_deadline(monkeypatch, late):
    fake = FakeTime(monkeypatch, [late])

    def work(_cycle):
        fake.now += 100e-6

    clock, recorder = SteadyClock(1000.0), Recorder(work)
    play(clock, recorder, 1000)
    assert recorder.latency.overruns == 0
    assert recorder.times[-1] - recorder.times[0] < 1.001
    assert max(recorder.lateness) < late + 1e-6


@pytest.mark.parametrize("rehearse", [False, True])
def test_a_rehearsal_comes_before_a_cycle_and_makes_none_late(monkeypatch, rehearse):
    fake = FakeTime(monkeypatch, [0.0])
    clock, recorder = SteadyClock(1000.0), Recorder(lambda _: fake.sleep(300e-6))
    recorder.rehearse = lambda: (Recorder.rehearse(recorder), fake.sleep(80e-6))
    clock.parameter("rehearse").set(rehearse)
    play(clock, recorder, 1000)
    assert recorder.rehearsals > 900 if rehearse else recorder.rehearsals == 0
    assert max(recorder.lateness[10:]) < 1e-6
    assert recorder.latency.overruns == 0


def test_a_rehearsal_that_costs_more_than_it_gains_is_tried_now_and_then(monkeypatch):
    fake = FakeTime(monkeypatch, [0.0])
    clock, recorder = SteadyClock(1000.0), Recorder(lambda _: fake.sleep(400e-6))
    made = []

    def rehearse():
        cycle = len(recorder.times)
        made.append(cycle)
        fake.sleep(180e-6 if cycle < 10_000 else 50e-6)  # a task has left

    recorder.rehearse = rehearse
    play(clock, recorder, 20_000)
    assert 5 < sum(cycle < 10_000 for cycle in made) < 400
    assert sum(cycle > 12_000 for cycle in made) > 7_500  # for one in twenty no time is left
    assert max(recorder.lateness[50:]) < 1e-6


def test_rehearsals_of_any_length_make_few_cycles_late(monkeypatch):
    fake = FakeTime(monkeypatch, [4e-6])
    recorder = Recorder(lambda _: fake.sleep(300e-6))
    lengths = itertools.cycle([50e-6, 40e-6, 60e-6, 45e-6, 55e-6])
    recorder.rehearse = lambda: fake.sleep(next(lengths))
    play(SteadyClock(1000.0), recorder, 5000)
    late = [lateness > 2e-6 for lateness in recorder.lateness[500:]]
    assert sum(late) < 0.06 * len(late)


def test_rehearsals_are_made_where_wakes_are_later_than_what_is_spun(monkeypatch):
    fake = FakeTime(monkeypatch, [70e-6])
    recorder = Recorder(lambda _: fake.sleep(300e-6))
    made = []

    def rehearse():
        made.append(fake.now)
        fake.now += 50e-6

    recorder.rehearse = rehearse
    play(SteadyClock(1000.0), recorder, 1000)
    assert len(made) > 800
    assert max(recorder.lateness[200:]) < 1e-6


def test_time_is_spare_between_cycles_and_after_the_last(monkeypatch):
    class Noting(SpareTime):
        until = math.inf

        def begin(self, until):
            self.until = until

        def end(self):
            self.until = 0.0

    fake = FakeTime(monkeypatch, [0.0])
    seen = []
    recorder = Recorder(lambda _: (seen.append(spare.until), fake.sleep(300e-6)))
    recorder.spare_time = spare = Noting()
    recorder.rehearse = lambda: seen.append(spare.until)
    rests = []
    sleep = fake.sleep
    monkeypatch.setattr(
        steady_clock, "sleep", lambda t: (rests.append(spare.until - fake.now - t), sleep(t))
    )
    play(SteadyClock(1000.0), recorder, 100)
    assert set(seen[1:]) == {0.0}
    assert len(rests) >= 99
    assert max(map(abs, rests)) < 1e-6  # spare for as long as the servo sleeps
    assert spare.until == math.inf


def test_nothing_is_rehearsed_while_other_work_wants_the_time(monkeypatch):
    fake = FakeTime(monkeypatch, [0.0])
    recorder = Recorder(lambda cycle: (_want(recorder, cycle), fake.sleep(300e-6)))
    recorder.rehearse = lambda: (wanted.append(recorder.spare_time.is_wanted), fake.sleep(80e-6))
    wanted = []
    play(SteadyClock(1000.0), recorder, 100)
    assert len(wanted) > 40
    assert not any(wanted)


def _want(recorder, cycle):
    recorder.spare_time.is_wanted = 20 <= cycle < 70


# ---- steady, in real time


def test_steady_rate_is_the_one_asked_for():
    clock, recorder = SteadyClock(500.0), Recorder()
    done = threading.Event()
    recorder._work = lambda cycle: done.set() if cycle + recorder.latency.overruns >= 500 else None
    clock.start(recorder)
    assert done.wait(GENEROUS)
    clock.stop()
    elapsed = recorder.times[-1] - recorder.times[0]
    # deadlines met and deadlines skipped together make up the time; a first cycle may be late
    periods = elapsed * 500.0
    assert len(recorder.times) - 2 <= periods * 1.02
    assert recorder.threads != {threading.get_ident()}
    assert len(recorder.threads) == 1
    if recorder.latency.overruns == 0:
        assert len(recorder.times) - 1 == pytest.approx(periods, rel=0.02)


def test_steady_survives_long_cycles():
    clock = SteadyClock(1000.0)
    done = threading.Event()

    def work(cycle):
        time.sleep(0.004)  # the load, not a synchronisation
        if cycle == 25:
            done.set()

    recorder = Recorder(work)
    clock.start(recorder)
    assert done.wait(GENEROUS)
    clock.stop()
    assert recorder.latency.overruns >= len(recorder.times) - 1


def test_start_and_stop_are_idempotent_and_quick():
    before = threads_named("servo")
    clock = SteadyClock(1000.0)
    clock.stop()
    for _ in range(20):
        recorder, other = Recorder(), Recorder()
        clock.start(recorder)
        assert len(recorder.started) == 1
        clock.start(other)
        clock.stop()
        clock.stop()
        assert other.started == []
        assert threads_named("servo") == before


def test_nothing_runs_after_stop():
    clock, recorder = SteadyClock(1000.0), Recorder()
    clock.start(recorder)
    clock.stop()
    count = len(recorder.times)
    clock.start(Recorder())
    clock.stop()
    assert len(recorder.times) == count


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_start_that_fails_is_told():
    class Broken(Recorder):
        def servo_init(self, now):
            raise ValueError("no")

    clock, recorder = SteadyClock(1000.0), Broken()
    with pytest.raises(ControlItError, match=r"did not start: ValueError\('no'\)"):
        clock.start(recorder)
    assert recorder.status.has_ended
    clock.stop()


@pytest.mark.parametrize("frequency", [1.0, 1000.0, 40_000.0])
def test_any_frequency_is_accepted(frequency):
    assert SteadyClock(frequency).parameter("spin_time").value <= 0.5 / frequency


# ---- real-time set-up


def refuse(*_):
    raise PermissionError(1, "Operation not permitted")


def test_refused_permissions_are_one_warning_each(monkeypatch):
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    monkeypatch.setattr("controlit_ros.servo.real_time._lock_memory", lambda: False)
    clock = SteadyClock(1000.0, RealTimeSettings(60, (0, 1)))
    for _ in range(2):
        clock.start(Recorder())
        clock.stop()
        assert clock.warnings == (
            "processor affinity [0, 1]: [Errno 1] Operation not permitted",
            "SCHED_FIFO priority 60: [Errno 1] Operation not permitted",
            "locking memory (mlockall)",
        )


@pytest.mark.parametrize("affinity", [(-1,), (10**30,), (100_000,)])
def test_impossible_processors_are_a_warning(affinity):
    allowed = os.sched_getaffinity(0)
    (text,) = enter_real_time(RealTimeSettings(0, affinity))
    assert text.startswith(f"processor affinity {list(affinity)}: ")
    assert os.sched_getaffinity(0) == allowed


def test_others_keep_off_the_servos_processors_if_there_are_more():
    allowed = os.sched_getaffinity(0)
    first = min(allowed)
    others = allowed - {first} or allowed
    hopeless = [(), tuple(allowed), (100_000,), (first, 10**30), (-1,)]
    found = []
    for processors in [*hopeless, (first,), (first, first)]:
        with kept_off(processors):
            thread = threading.Thread(target=lambda: found.append(os.sched_getaffinity(0)))
            thread.start()
            thread.join()
            assert found[-1] == os.sched_getaffinity(0)
        assert found[-1] == (allowed if processors in hopeless else others)
        assert os.sched_getaffinity(0) == allowed


@pytest.mark.parametrize("call", ["sched_getaffinity", "sched_setaffinity"])
def test_a_system_without_such_calls_keeps_off_nothing(monkeypatch, call):
    monkeypatch.delattr(os, call)
    with kept_off((0,)):
        pass


def test_a_system_without_such_calls_is_a_warning(monkeypatch):
    monkeypatch.delattr(os, "sched_setscheduler")
    monkeypatch.delattr(os, "sched_setaffinity")
    monkeypatch.setattr("controlit_ros.servo.real_time.ctypes.CDLL", refuse)
    assert len(enter_real_time(RealTimeSettings(60, (0,)))) == 3


def test_nothing_asked_is_nothing_refused(monkeypatch):
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    assert enter_real_time(NOT_REAL_TIME) == ()


def test_a_servo_looks_for_garbage_before_there_is_much():
    """Whatever its process took over from the start of a command: what left with a task, say."""
    usual = gc.get_threshold()
    look_seldom()
    assert gc.get_threshold() != usual
    enter_real_time(NOT_REAL_TIME)
    assert gc.get_threshold() == usual
