"""Cycles and overruns between two moments, as a servo tells of them."""

import pytest

from controlit_bench.cycle_count import TYPE, Count, CycleCount
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import new
from controlit_ros.transport.local import LocalTransport


def array(**values):
    entries = [{"key": key, "value": str(value)} for key, value in values.items()]
    return new(TYPE, status=[{"name": "robot"}, {"name": "servo", "values": entries}])


@pytest.fixture
def network(request):
    with LocalTransport("bench", "/", domain=request.node.nodeid) as transport:
        yield transport


class Servo:
    """A servo that is waited for."""

    def __init__(self, check=lambda: None):
        self.check = check

    def log_tail(self):
        return "its log"


def test_the_next_count_is_newer_than_what_was_heard_before(network):
    count = CycleCount(network)
    count._hear(array(cycles=1000, overruns=4))
    servo = Servo(lambda: count._hear(array(cycles=2000, overruns=5)))
    assert count.next(servo) == Count(2000, 5)


def test_only_what_came_between_counts():
    assert Count(3000, 6).rate_since(Count(1000, 4)) == pytest.approx(1e-3)
    assert Count(1000, 4).rate_since(Count(1000, 4)) == 0.0


def test_a_servo_that_says_nothing_is_told(network, monkeypatch):
    monkeypatch.setattr("controlit_bench.network.START_TIMEOUT", 0.01)
    with pytest.raises(ControlItError, match="nothing came on /diagnostics:\nits log"):
        CycleCount(network).next(Servo())


def test_a_servo_that_ends_is_not_waited_for(network):
    def check():
        raise ControlItError("the servo has ended")

    with pytest.raises(ControlItError, match="has ended"):
        CycleCount(network).next(Servo(check))
