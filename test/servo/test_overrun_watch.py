"""OverrunWatch: single misses are forgiven, rows of them and pauses are not."""

import pytest

from controlit_ros.servo.overrun_watch import OverrunSettings, OverrunWatch, Timeliness


def judge(watch, *elapsed):
    return [watch.look(seconds) for seconds in elapsed]


def test_jitter_of_less_than_half_a_period_misses_nothing():
    watch = OverrunWatch(1000.0, OverrunSettings(limit=1))
    assert set(judge(watch, 0.0, 0.0006, 0.001, 0.0014)) == {Timeliness.ON_TIME}
    assert (watch.missed, watch.in_a_row) == (0, 0)


def test_a_cycle_on_time_ends_the_row():
    watch = OverrunWatch(1000.0, OverrunSettings(limit=3))
    judge(watch, 0.002, 0.003, 0.001)
    assert (watch.missed, watch.in_a_row) == (3, 0)
    assert judge(watch, 0.002, 0.002, 0.002)[-1] is Timeliness.ON_TIME
    assert watch.look(0.002) is Timeliness.LATE
    assert (watch.missed, watch.in_a_row) == (7, 4)
    assert watch.look(0.001) is Timeliness.ON_TIME


def test_one_pause_counts_as_the_deadlines_it_missed():
    watch = OverrunWatch(1000.0, OverrunSettings(limit=50, pause_limit=0.2))
    assert watch.look(0.1) is Timeliness.LATE
    assert watch.look(0.201) is Timeliness.AFTER_PAUSE
    assert (watch.pauses, watch.in_a_row) == (1, 0)
    assert watch.look(0.002) is Timeliness.ON_TIME


@pytest.mark.parametrize("elapsed", [-3600.0, -0.001])
def test_a_clock_that_jumps_back_misses_nothing(elapsed):
    watch = OverrunWatch(1000.0, OverrunSettings())
    assert watch.look(elapsed) is Timeliness.ON_TIME
    assert watch.missed == 0


def test_a_slow_servo_does_not_pause_between_its_cycles():
    watch = OverrunWatch(2.0, OverrunSettings(pause_limit=0.2))
    assert watch.look(0.5) is Timeliness.ON_TIME
    assert watch.look(0.9) is Timeliness.AFTER_PAUSE
