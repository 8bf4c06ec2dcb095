"""AwakeTime: time that counts only while one looks."""

from types import SimpleNamespace

import pytest

from controlit_ros import awake_time
from controlit_ros.awake_time import LONGEST_LOOK, AwakeTime


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand [s]."""
    now = [100.0]
    monkeypatch.setattr(awake_time, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_it_is_that_of_the_clock_for_those_who_look(clock):
    waited = AwakeTime()
    assert waited.look() == 0.0
    for number in range(1, 101):
        clock[0] += 0.0625
        assert waited.look() == 0.0625 * number


def test_a_pause_counts_as_one_look(clock):
    waited = AwakeTime()
    clock[0] += 3600.0
    assert waited.look() == LONGEST_LOOK
    clock[0] += 0.0625
    assert waited.look() == pytest.approx(LONGEST_LOOK + 0.0625)
