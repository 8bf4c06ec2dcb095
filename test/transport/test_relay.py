"""A relay: nodes of one transport are reached over another."""

import pytest

from controlit_ros.interfaces import new
from controlit_ros.transport import DEFAULT, LATCHED, SENSOR_STATE, Relay
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

NUMBER, TRIGGER = "std_msgs/msg/Float64", "std_srvs/srv/Trigger"


class Sides:
    """Two domains, a node in each, and a relay between them."""

    def __init__(self, name):
        self.ends = []
        self.inside = self._open("inside", f"{name} inside")
        self.outside = self._open("outside", f"{name} outside")
        self.relay = Relay(
            self._open("relay", f"{name} inside"), self._open("relay", f"{name} outside")
        )

    def close(self):
        for end in self.ends:
            end.close()

    def _open(self, node, domain):
        self.ends.append(LocalTransport(node, domain=domain))
        return self.ends[-1]


@pytest.fixture
def sides(request):
    sides = Sides(request.node.nodeid)
    yield sides
    sides.close()


def numbers_on(transport, topic, qos=DEFAULT):
    found = []
    transport.subscribe(topic, NUMBER, lambda message: found.append(message.data), qos)
    return found


@pytest.mark.parametrize("qos", [DEFAULT, SENSOR_STATE])
def test_what_is_published_inside_is_heard_outside(sides, poll, qos):
    publisher = sides.inside.publisher("/a", NUMBER, qos)
    with sides.relay:
        found = numbers_on(sides.outside, "/a", qos)
        poll(publisher.subscriber_count)
        publisher.publish(new(NUMBER, data=3.0))
        poll(lambda: found == [3.0])


def test_who_comes_late_gets_what_is_latched(sides, poll):
    publisher = sides.inside.publisher("/a", NUMBER, LATCHED)
    publisher.publish(new(NUMBER, data=3.0))
    with sides.relay:
        found = numbers_on(sides.outside, "/a", LATCHED)
        poll(lambda: found == [3.0])


def test_nobody_is_listened_to_for_nobody(sides, poll):
    publisher = sides.inside.publisher("/a", NUMBER)
    with sides.relay:
        assert publisher.subscriber_count() == 0
        listener = sides.outside.subscribe("/a", NUMBER, lambda _message: None)
        poll(lambda: publisher.subscriber_count() == 1)
        listener.close()
        poll(lambda: publisher.subscriber_count() == 0)


def test_what_is_only_heard_inside_comes_in(sides, poll):
    found = numbers_on(sides.inside, "/goal")
    with sides.relay:
        publisher = sides.outside.publisher("/goal", NUMBER)
        poll(publisher.subscriber_count)
        publisher.publish(new(NUMBER, data=2.0))
        poll(lambda: found == [2.0])


def test_what_appears_later_is_seen(sides, poll):
    with sides.relay:
        publisher = sides.inside.publisher("/later", NUMBER)
        found = numbers_on(sides.outside, "/later")
        poll(publisher.subscriber_count)
        publisher.publish(new(NUMBER, data=1.0))
        poll(lambda: found == [1.0])


def test_calls_from_outside_are_answered_inside(sides):
    sides.inside.serve(
        "/ask", TRIGGER, lambda _request: new(f"{TRIGGER}_Response", success=True, message="yes")
    )
    with sides.relay:
        answer = sides.outside.client("/ask", TRIGGER).call(new(f"{TRIGGER}_Request"))
    assert answer.message == "yes"


def test_nothing_is_left_outside_at_the_end(sides):
    sides.inside.publisher("/a", NUMBER)
    sides.inside.serve("/ask", TRIGGER, lambda _request: new(f"{TRIGGER}_Response"))
    with sides.relay:
        assert sides.outside.graph().topic("/a").publisher_count == 1
    graph = sides.outside.graph()
    assert graph.topic("/a") is None
    assert graph.service("/ask") is None
