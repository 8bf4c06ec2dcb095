"""HeldButton: acts once it was held for a while, and once only."""

from types import SimpleNamespace

import pytest

from controlit_console import held_button as module
from controlit_console.held_button import HOLD, LEAST, LONGEST_GAP, TICKS, HeldButton


class FakeGui:
    """A page with one button."""

    def add_button(self, label, **options):
        self.label, self.options = label, options
        return SimpleNamespace(on_hold=self.on_hold)

    def on_hold(self, callback, callback_hz):
        self.tick, self.rate = callback, callback_hz


@pytest.fixture
def held(monkeypatch):
    """Return how often the button acts when it is held at some times [s]."""
    gui, done, now = FakeGui(), [], [0.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    HeldButton(gui, "Go", lambda: done.append(now[0]))
    assert gui.rate == TICKS

    def hold(times):
        for at in times:
            now[0] = 100.0 + at
            gui.tick(None)
        return len(done)

    return hold


def every(period, duration, begin=0.0):
    return [begin + i * period for i in range(round(duration / period) + 1)]


def test_a_touch_does_nothing(held):
    assert held([0.0]) == 0
    assert held(every(0.1, 0.5 * HOLD, begin=10.0)) == 0


def test_it_acts_once_however_long_it_is_held(held):
    assert held(every(0.1, 5.0 * HOLD)) == 1


def test_it_acts_again_after_it_was_let_go(held):
    held(every(0.1, 2.0 * HOLD))
    assert held(every(0.1, 2.0 * HOLD, begin=2.0 * HOLD + 1.1 * LONGEST_GAP)) == 2


def test_touches_in_a_row_are_not_holding(held):
    gap = 0.9 * LONGEST_GAP
    assert held([i * gap for i in range(LEAST - 1)]) == 0


def test_a_page_that_stutters_holds_as_well(held):
    assert held(every(0.4, 2.0)) == 1
