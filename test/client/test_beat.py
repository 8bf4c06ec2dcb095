"""When a client in wall time sends."""

import math
from types import SimpleNamespace

import numpy as np

from controlit_ros.client import WallBeat

PERIOD = 0.01  # [s]
WORK = 0.004  # [s] that a round takes
STANDSTILL = 0.123  # [s]


def test_goals_go_out_a_hundred_times_a_second(monkeypatch):
    """Whatever a round takes, as long as it is over before the next; those missed are left out."""
    clock, times = [5.0], []
    beat = WallBeat()

    def sleep(duration):
        clock[0] += duration

    def action(now):
        times.append(now)
        sleep(WORK if len(times) != 50 else STANDSTILL)
        if len(times) < 100:
            return True
        beat.close()
        return False

    fake = SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep)
    monkeypatch.setattr("controlit_ros.client.beat.time", fake)
    beat._wanted.set()
    beat._run(PERIOD, action)
    after = 0.49 + 0.13 + PERIOD * np.arange(50)  # the twelve rounds of the standstill are gone
    expected = 5.0 + np.concatenate([PERIOD * np.arange(50), after])
    np.testing.assert_allclose(times, expected, atol=1e-9)


def test_what_is_no_time_is_over_at_once():
    assert not WallBeat().wait(lambda: False, math.nan)
