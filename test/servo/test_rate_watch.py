"""RateWatch: a servo frequency that is not reached is noticed by mean rate and by longest gap."""

from types import SimpleNamespace

import pytest

from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.rate_settings import RateSettings
from controlit_ros.servo.rate_watch import RateWatch
from controlit_ros.servo.real_time import RealTimeSettings
from controlit_ros.servo.servo_status import ServoStatus

FREQUENCY = 1000.0
PERIOD = 1.0 / FREQUENCY
DEFAULT = RateSettings()


class World:
    """A servo whose cycles take what a test says, and a watch that looks once a second."""

    def __init__(self, settings=DEFAULT, priority=0):
        self.status = ServoStatus()
        self.clock = SimpleNamespace(
            now=5.0, frequency=FREQUENCY, is_ticking=True, is_stepped=False, time_feed=None,
            real_time=RealTimeSettings(priority, ()),
        )  # fmt: skip
        self.cycles = self.overruns = self.missed = self.pauses = 0
        self.watch = RateWatch(self.status, self.clock, settings)
        self.status.count_start(self.clock.now)

    def pass_cycles(self, *periods, overruns=0, pauses=0):
        """Let cycles begin, so many seconds after one another; return what is said at their end."""
        self.pauses += pauses
        self.overruns += overruns
        for elapsed in periods:
            self.cycles += 1
            self.missed += round(elapsed * FREQUENCY) - 1
            self.clock.now += elapsed
            self.status.note_gap(elapsed)
        self.status.write(
            CoordinatorState.ACTIVE, self.cycles, self.overruns, 0, 0.0, self.missed, self.pauses,
            0, 0, 0.0, 0, FREQUENCY, 0,
        )  # fmt: skip
        return self.watch.look(is_running=True)

    def settle(self):
        """Let the start pass, which is not judged."""
        self.pass_cycles(PERIOD)
        assert self.pass_cycles(*[PERIOD] * 1100) == ""


def second(*gaps):
    """Return the periods of a second with some gaps in it."""
    return [*gaps, *[PERIOD] * round((1.001 - sum(gaps)) * FREQUENCY)]


def test_servo_on_time_is_not_complained_of():
    world = World()
    world.settle()
    assert [world.pass_cycles(*second(0.002, 0.0095)) for _ in range(5)] == 5 * [""]


@pytest.mark.parametrize("gap", [0.0105, 0.0192, 0.15])
def test_single_gap_is_told_once_with_its_length(gap):
    world = World()
    world.settle()
    assert f"{1e3 * gap:.1f} ms between two cycles" in world.pass_cycles(*second(gap))
    assert world.watch.complaint
    assert world.pass_cycles(*second()) == ""
    assert not world.watch.complaint


@pytest.mark.parametrize(("period", "rate"), [(0.0011, 909), (0.002, 500), (0.009, 111)])
def test_low_mean_rate_is_told_without_any_long_gap(period, rate):
    world = World()
    world.settle()
    text = world.pass_cycles(*[period] * round(1.01 / period))
    assert f"found {rate} Hz on average, expected 1000 Hz" in text
    assert "between two cycles" not in text.partition("expected")[0]


def test_cause_is_named():
    world = World(priority=0)
    world.settle()
    text = world.pass_cycles(*second(0.0192), overruns=3)
    assert "3 cycles took longer than a period" in text
    assert "woken too late for 15 deadlines" in text
    assert "no real-time priority" in text
    world = World(priority=80)
    world.settle()
    text = world.pass_cycles(*second(0.0192), overruns=18)
    assert "18 cycles took longer" in text
    assert "woken" not in text
    assert "priority" not in text


def test_windows_shorter_than_a_second_are_joined():
    world = World()
    world.settle()
    assert world.pass_cycles(*[PERIOD] * 500, 0.0192) == ""
    assert "19.2 ms" in world.pass_cycles(*[PERIOD] * 500)


def test_limits_are_settings():
    world = World(RateSettings(share=0.4, gap=30.0))
    world.settle()
    assert world.pass_cycles(*second(0.0192)) == ""
    assert world.pass_cycles(*[0.002] * 501) == ""
    world = World(RateSettings(share=0.0, gap=0.0))
    world.settle()
    assert world.pass_cycles(*[0.1] * 11) == ""


def test_start_is_not_judged_nor_what_a_jump_of_time_or_a_pause_leaves():
    world = World()
    assert world.pass_cycles(0.4) == ""
    assert world.pass_cycles(*second(0.3)) == ""
    assert world.pass_cycles(*second(0.5), pauses=1) == ""
    world.settle()
    world.status.count_start(world.clock.now)
    world.clock.now -= 100.0
    assert world.pass_cycles(*second(0.0192)) == ""
    world.settle()
    assert "19.2 ms" in world.pass_cycles(*second(0.0192))


def test_servo_that_is_stopped_is_not_judged():
    world = World()
    world.settle()
    world.clock.now += 50.0
    assert world.watch.look(is_running=False) == ""
    world.settle()


@pytest.mark.parametrize("simulated", [{"is_stepped": True}, {"time_feed": object()}])
def test_simulated_time_is_not_judged(simulated):
    world = World()
    vars(world.clock).update(simulated)
    for _ in range(4):
        assert world.pass_cycles(*[0.01] * 110) == ""
    assert not world.watch.complaint


def test_gap_is_kept_until_it_is_taken():
    status = ServoStatus()
    for elapsed in (0.001, 0.004, 0.002):
        status.note_gap(elapsed)
    assert (status.take_gap(), status.take_gap()) == (0.004, 0.0)
