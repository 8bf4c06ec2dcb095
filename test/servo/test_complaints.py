"""Complaints: which are told, and which only come and go."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from controlit_ros.servo.complaints import LASTING, PERIOD, Complaints

CYCLE = 0.001


class Sole:
    """A contact that complains in some cycles."""

    name = "Sole"

    def __init__(self, complains, enabled_cycles):
        self.complains = complains
        self.enabled_cycles = enabled_cycles
        self.cycle = 0

    @property
    def is_enabled(self):
        return self.cycle < self.enabled_cycles

    def complaint(self, _model):
        return "it tips" if self.complains(self.cycle) else ""


def told(complains, cycles=300, period=CYCLE, enabled_cycles=300):
    """Return the cycles in which a contact's complaint is told."""
    sole, found = Sole(complains, enabled_cycles), []
    notices = SimpleNamespace(post=lambda *_: found.append(sole.cycle))
    controller = SimpleNamespace(chosen=SimpleNamespace(name="WBOSC", complaint=lambda: ""))
    complaints = Complaints((), controller, notices)
    model = SimpleNamespace(constraints=SimpleNamespace(contacts=(sole,)), robot_model=None)
    for sole.cycle in range(cycles):
        complaints.ask(model, PERIOD + sole.cycle * period)
    return found


def test_a_contact_that_complains_on_is_told_some_times_a_second():
    found = told(lambda _: True)
    assert found[0] == LASTING - 1
    assert [b - a for a, b in pairwise(found)] == pytest.approx(
        [PERIOD / CYCLE] * (len(found) - 1), abs=1
    )


@pytest.mark.parametrize("every", [2, 8, LASTING])
def test_a_contact_that_complains_now_and_then_is_not_told(every):
    assert told(lambda cycle: cycle % every == 0) == []


def test_a_slow_servo_tells_it_as_well():
    assert told(lambda _: True, period=2.0 * PERIOD)


def test_a_contact_that_was_disabled_meanwhile_is_not_told():
    assert told(lambda _: True, enabled_cycles=LASTING - 1) == []
