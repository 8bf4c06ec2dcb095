"""Waits of a program that is watched."""

import pytest

from controlit_demos.running.looking_beat import LookingBeat

PERIOD = 0.01  # [s]


class Rounded:
    """Time that passes in rounds, and not for less than a part of one."""

    def __init__(self):
        self.rounds = 0

    def now(self):
        return self.rounds * PERIOD

    def wait(self, condition, timeout):
        self.rounds += timeout > 1e-8
        return condition()


def test_looks_once_a_round_and_ends_in_time():
    """Whatever is left of the time by rounding."""
    beat, looks = LookingBeat(Rounded(), PERIOD), []
    beat.look = lambda: looks.append(beat.now())
    for duration in (0.07, 0.3, 2.5, 0.1 + 0.2):
        begin, before = beat.now(), len(looks)
        assert not beat.wait(lambda: False, duration)
        assert beat.now() - begin == pytest.approx(duration)
        assert len(looks) - before == round(duration / PERIOD)


def test_a_look_ends_the_wait():
    beat = LookingBeat(Rounded(), PERIOD)

    def look():
        if beat.now() > 0.055:
            raise KeyError

    beat.look = look
    with pytest.raises(KeyError):
        beat.wait(lambda: False, 10.0)
    assert beat.now() == pytest.approx(0.06)


def test_ends_as_soon_as_the_condition_holds():
    beat = LookingBeat(Rounded(), PERIOD)
    assert beat.wait(lambda: beat.now() > 0.035, 10.0)
    assert beat.now() == pytest.approx(0.04)
