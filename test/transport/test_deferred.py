"""DeferredTransport: what was asked for before it opens is there afterwards."""

import pytest
from patience import GENEROUS

from controlit_ros.interfaces import UnknownTypeError, encode, new
from controlit_ros.transport import EVENTS, LATCHED, DeferredTransport, TransportClosedError
from controlit_ros.transport.local import LocalTransport

STRING = "std_msgs/msg/String"
TRIGGER = "std_srvs/srv/Trigger"


def test_everything_is_made_when_it_opens(request, poll):
    domain, order, heard = request.node.nodeid, [], []
    node = DeferredTransport("node", "/space", before_answering=lambda: order.append("before"))
    publisher = node.publisher("out", STRING, LATCHED)
    subscription = node.subscribe("in", STRING, lambda m: heard.append(m.data))

    def answer(_request):
        order.append("answer")
        return new(f"{TRIGGER}_Response", success=True)

    service = node.serve("ask", TRIGGER, answer)
    publisher.publish(new(STRING, data="early"))
    assert (publisher.topic, subscription.topic, service.name) == (
        "/space/out", "/space/in", "/space/ask"
    )  # fmt: skip
    assert publisher.subscriber_count() == 0
    assert node.health().unsent == 0
    with pytest.raises(TransportClosedError, match="not open yet"):
        node.graph()
    node.open(LocalTransport("node", "/space", domain=domain))
    with LocalTransport("peer", "/space", domain=domain) as peer:
        told = []
        peer.subscribe("out", STRING, lambda m: told.append(m.data), LATCHED)
        poll(lambda: told == ["early"])
        publisher.publish(new(STRING, data="late"))
        poll(lambda: told == ["early", "late"])
        assert publisher.subscriber_count() == 1
        sender = peer.publisher("in", STRING)
        sender.publish(new(STRING, data="hello"))
        poll(lambda: heard == ["hello"])
        assert peer.client("ask", TRIGGER).call(new(f"{TRIGGER}_Request"), GENEROUS).success
        assert order == ["before", "answer"]
        node.close()
        assert not [n for n in peer.graph().nodes if n.name == "/space/node"]


def test_bytes_wait_until_it_opens(request, poll):
    node, domain = DeferredTransport("node"), request.node.nodeid
    publisher = node.publisher("out", STRING, EVENTS)
    data = bytearray(encode(STRING, new(STRING, data="early")))
    publisher.publish_raw(memoryview(data))
    data[:] = bytes(len(data))
    with node, LocalTransport("peer", domain=domain) as peer:
        told = []
        peer.subscribe("out", STRING, lambda m: told.append(m.data), EVENTS)
        node.open(LocalTransport("node", domain=domain))
        poll(publisher.subscriber_count)
        publisher.publish_raw(encode(STRING, new(STRING, data="late")))
        poll(lambda: told[-1:] == ["late"])
    assert node.health().published == 2


def test_unknown_types_are_told_at_once():
    with pytest.raises(UnknownTypeError):
        DeferredTransport("node").publisher("out", "no_msgs/msg/Thing")


def test_one_that_was_never_opened_can_be_closed():
    with DeferredTransport("node") as node:
        node.publisher("out", STRING).close()
