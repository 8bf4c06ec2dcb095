"""Throttle: the first passes at once, what goes on less and less often, news at once."""

import numpy as np
import pytest

from controlit_ros.servo.throttle import CALM, PERIOD, Throttle

TICK = 0.125  # [s] a power of two, so that times are exact


def passed(throttle, begin, end, tick=TICK):
    """Let something occur every tick; return the times at which it passed."""
    times = np.arange(begin, end, tick)
    return [float(time) for time in times if throttle.passes(float(time))]


def test_what_goes_on_passes_once_a_period():
    assert passed(Throttle(), 5.0, 9.5) == [5.0, 6.0, 7.0, 8.0, 9.0]


def test_periods_double_up_to_the_longest():
    times = passed(Throttle(60.0), 0.0, 300.0)
    assert times == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0, 123.0, 183.0, 243.0]


@pytest.mark.parametrize("tick", [TICK, CALM])
def test_interruptions_no_longer_than_the_calm_are_the_same_thing(tick):
    throttle = Throttle(60.0)
    assert np.diff(passed(throttle, 0.0, 600.0, tick)).max() >= 60.0


def test_after_the_calm_it_is_new():
    throttle = Throttle(60.0)
    last = passed(throttle, 0.0, 290.0)[-1]
    again = 290.0 + CALM
    assert passed(throttle, again, again + 4.0) == [again, again + 1.0, again + 3.0]
    assert again - last < 60.0


def test_time_that_begins_anew_makes_it_new():
    throttle = Throttle(60.0)
    passed(throttle, 1000.0, 1100.0)
    assert passed(throttle, 0.0, 4.0) == [0.0, 1.0, 3.0]


def test_none_is_lost_and_none_is_counted_twice():
    throttle = Throttle(60.0)
    told = 0
    times = [*np.arange(0.0, 40.0, TICK), *np.arange(100.0, 101.5, TICK)]
    for time in times:
        if throttle.passes(float(time)):
            told += 1 + throttle.take_held()
    assert told + throttle.take_held() == len(times)
    assert throttle.take_held() == 0
    assert PERIOD < CALM
