"""RosTimeClock: one cycle when the time has come; standstill, jumps and the end."""

import gc
import itertools
import sys
import threading
import time

import numpy as np
import pytest
from patience import GENEROUS
from recorder import Recorder
from rig import FREQUENCY, Rig, gravity

from controlit_ros.servo import CoordinatorState, Sampler
from controlit_ros.servo.ros_time_clock import LONGEST_STEP, STANDSTILL, RosTimeClock

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def leave_the_process_as_it_was():
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    gc.unfreeze()


class ToldTimes:
    """A source that knows the next time whenever somebody waits for it; ends with the last."""

    def __init__(self, times, clock):
        self._times = iter(times)
        self._clock = clock
        self.now = None

    def wait(self, due, patience):
        del due, patience
        self.now = next(self._times, None)
        if self.now is None:
            self._clock._stopping = True

    def interrupt(self):
        pass


def played(times, frequency=1000.0):
    """Return what a servo did while a clock was told these times."""
    clock, recorder = RosTimeClock(frequency), Recorder()
    clock._system = ToldTimes(times, clock)
    clock._run(recorder, lambda: None)
    return recorder


def test_one_cycle_for_each_period():
    times = [7.0 + k / 1000.0 for k in range(2000)]
    recorder = played(times)
    assert recorder.started == [7.0]
    assert recorder.times == times
    assert max(recorder.lateness) < 1e-9
    assert recorder.latency.overruns == 0


@pytest.mark.parametrize("begin", [0.0, 1.79e9])
def test_times_between_make_no_cycle(begin):
    times = [begin + k / 10_000.0 for k in range(10_001)]
    recorder = played(times)
    assert len(recorder.times) == 1001
    for k, now in enumerate(recorder.times):
        assert now == pytest.approx(begin + k / 1000.0, abs=1e-6)


def test_cycles_do_not_drift_when_times_do_not_fit():
    recorder = played([k * 0.7e-3 for k in range(20_000)])
    for k, now in enumerate(recorder.times):
        assert -1e-6 <= now - k / 1000.0 < 0.7e-3
    assert recorder.latency.overruns == 0


def test_rare_times_leave_out_cycles():
    times = [k / 100.0 for k in range(100)]
    recorder = played(times)
    assert recorder.times == times
    assert recorder.latency.overruns == 99
    assert max(recorder.lateness) < 1e-6


@pytest.mark.parametrize("to", [0.0, 1.5, 1.9985, 2.0 + 1.1 * LONGEST_STEP, 1e9])
def test_a_jump_begins_anew(to):
    before = [1.0 + k / 1000.0 for k in range(1001)]
    after = [to + k / 1000.0 for k in range(100)]
    recorder = played([*before, *after])
    assert recorder.started == [1.0, to]
    assert recorder.times == [*before, *after]


def test_a_small_step_forward_is_no_jump():
    recorder = played([1.0, 1.001, 1.001 + 0.9 * LONGEST_STEP])
    assert recorder.started == [1.0]
    assert len(recorder.times) == 3
    assert recorder.latency.overruns == 1


# ---- in a thread of its own


@pytest.fixture
def fed():
    """A started clock with simulated time, its feed and what it calls."""
    clock, recorder = RosTimeClock(1000.0), Recorder()
    clock.parameter("use_sim_time").set(True)
    clock.start(recorder)
    yield clock, clock.time_feed, recorder
    clock.stop()


def reached(predicate):
    end = time.monotonic() + GENEROUS
    while not predicate():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_fed_time_drives_the_servo(fed):
    clock, feed, recorder = fed
    assert not recorder.started
    for k in range(200):
        feed.tell(3.0 + k / 1000.0)
        reached(lambda k=k: len(recorder.times) == k + 1)
        assert clock.now == recorder.times[-1]
    times = (3.2 + k / 1000.0 for k in itertools.count())
    reached(lambda: feed.tell(next(times)) or clock.is_ticking)
    assert clock.ros_offset == 0.0
    assert recorder.threads == recorder.threads - {threading.get_ident()}
    assert len(recorder.threads) == 1


def test_no_cycle_while_time_stands_still_and_stopping_is_quick(fed):
    clock, feed, recorder = fed
    feed.tell(1.0)
    reached(lambda: clock._last_cycle > 0.0)
    feed.tell(1.0)
    reached(lambda: not clock.is_ticking)  # many looks at the clock later
    assert recorder.times == [1.0]
    clock.stop()
    clock.stop()
    feed.tell(1.5)
    assert recorder.times == [1.0]


def test_stopping_before_any_time_is_known(fed):
    clock, _, recorder = fed
    assert clock.now == 0.0
    assert not clock.is_ticking
    clock.stop()
    assert recorder.started == []


def test_it_starts_again(fed):
    clock, feed, recorder = fed
    feed.tell(1.0)
    reached(lambda: recorder.times)
    clock.stop()
    other = Recorder()
    clock.start(other)
    reached(lambda: other.started)
    assert other.started == [1.0]


def test_without_simulation_it_is_the_time_of_day():
    clock, recorder = RosTimeClock(500.0), Recorder()
    assert clock.time_feed is None
    begin = time.time()
    clock.start(recorder)
    reached(lambda: len(recorder.times) + recorder.latency.overruns >= 100)
    clock.stop()
    assert begin <= recorder.times[0]
    assert recorder.times[-1] <= time.time()
    assert all(b > a for a, b in itertools.pairwise(recorder.times))
    assert clock.now == pytest.approx(time.time(), abs=STANDSTILL + 10.0)


# ---- what a jump does to the servo


def at(rig, begin, cycles):
    """Run cycles from a time on; return the efforts written."""
    before = len(rig.robot.written)
    for k in range(cycles):
        rig.coordinator.servo_update(begin + k / FREQUENCY)
    return np.array(rig.robot.written[before:])


@pytest.fixture
def rig():
    made = Rig(
        single_threaded_model=True, single_threaded_tasks=True, soft_start_time=1.0,
        state_timeout=0.05,
    )  # fmt: skip
    made.coordinator.servo_init(100.0)
    made.coordinator.request_activation()
    return made


@pytest.mark.parametrize("to", [0.0, 99.0, 5000.0])
def test_control_grows_softly_after_a_jump(rig, to):
    rig.tasks[0].goal.set([1.0, -1.0])
    at(rig, 100.0, 1500)
    rig.tasks[0].goal.set([0.0, 1.0])  # a large error, so that control at once would show
    assert rig.state is CoordinatorState.ACTIVE
    rig.coordinator.servo_init(to)
    (first,) = at(rig, to, 1)
    state = rig.coordinator.robot_state
    damping = rig.coordinator.settings.fallback_damping * state.velocity
    np.testing.assert_allclose(first, gravity(state.position) - damping, atol=1e-9)
    assert rig.state is CoordinatorState.ACTIVE
    efforts = at(rig, to + 1.0 / FREQUENCY, 1499)
    assert len(efforts) == 1499
    stiffness, error = 100.0, 1.0
    assert np.abs(np.diff(efforts, axis=0)).max() < 0.02 * stiffness * error
    np.testing.assert_allclose(rig.robot.position, [0.0, 1.0], atol=0.2)


def test_a_robot_at_its_goal_feels_nothing(rig):
    at(rig, 100.0, 1000)
    at(rig, 101.0, 8000)
    last = rig.robot.written[-1]
    rig.coordinator.servo_init(3.0)
    efforts = at(rig, 3.0, 2000)
    np.testing.assert_allclose(efforts, np.broadcast_to(last, efforts.shape), atol=0.05)


def test_a_goal_that_nobody_stated_is_latched_again(rig):
    at(rig, 100.0, 500)
    rig.robot.position += 0.5  # a reset simulation
    rig.coordinator.servo_init(0.0)
    at(rig, 0.0, 1)
    np.testing.assert_allclose(rig.tasks[0].goal.value, rig.tasks[0].actual.value, atol=1e-9)


def test_offers_and_notices_go_on_after_a_jump_back(rig):
    delivered = []
    sampler = Sampler(
        1, lambda row: row.fill(1.0), lambda stamp, _: delivered.append(stamp), rate=100.0
    )
    rig.outbox.add_sampler(sampler)
    at(rig, 100.0, 100)
    rig.outbox.deliver_all()
    assert 9 <= len(delivered) <= 12
    rig.robot.read_error = OSError("gone")
    at(rig, 100.1, 1)
    assert rig.errors
    delivered.clear()
    rig.coordinator.servo_init(0.0)
    at(rig, 0.0, 100)
    rig.outbox.deliver_all()
    assert 9 <= len(delivered) <= 12
    assert max(delivered) < 0.1
    assert any("gone" in text for text in rig.errors)
    assert rig.coordinator.status.starts == 3  # the rig's own clock began, too
