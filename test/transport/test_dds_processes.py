"""Nodes in different processes, on DDS."""

from uuid import uuid4

import pytest
from dds_isolation import ISOLATION
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.transport import DEFAULT, LATCHED, Endpoint

pytestmark = pytest.mark.processes

JOINTS = "sensor_msgs/msg/JointState"
STRING = "std_msgs/msg/String"
ADD = "example_interfaces/srv/AddTwoInts"
MORTAL = (
    "<CycloneDDS><Domain><Discovery><LeaseDuration>5s</LeaseDuration></Discovery></Domain>"
    "</CycloneDDS>"
)
"""Lets others notice soon that a process was killed."""


@pytest.fixture
def namespace():
    """A namespace of its own: DDS remembers the killed process of another test for a while."""
    return f"/n{uuid4().hex[:8]}"


@pytest.fixture
def echo(peer, namespace):
    """Start node `echo` and return its process once it is ready."""

    def start(**variables):
        process = peer("echo.py", namespace, **variables)
        assert process.stdout.readline() == "ready\n"
        return process

    return start


def test_messages_go_there_and_back(dds, namespace, echo, poll):
    echo()
    transport = dds.open("test", namespace)
    received = []
    transport.subscribe("pong", JOINTS, received.append, DEFAULT)
    ping = transport.publisher("ping", JOINTS, DEFAULT)
    poll(lambda: ping.subscriber_count() and is_matched(transport, f"{namespace}/pong"))
    sent = new(JOINTS, name=["a"], position=[1.5])
    poll(lambda: ping.publish(sent) or received)
    assert received[0] == sent


def test_services_answer(dds, namespace, echo):
    echo()
    client = dds.open("test", namespace).client("add", ADD)
    for number in range(20):
        assert client.call(new(f"{ADD}_Request", a=number, b=1), GENEROUS).sum == number + 1


def test_calls_right_after_discovery_are_answered(echo, peer, namespace):
    echo()
    caller = peer("calls.py", namespace, "30")
    output, _ = caller.communicate(timeout=GENEROUS * 3)
    assert output.split() == [str(number + 1) for number in range(30)]


def test_node_may_close_while_it_learns_of_others(peer):
    """Samples of discovery under conversion once were freed together with their reader."""
    output, _ = peer("closing.py", "40").communicate(timeout=GENEROUS * 3)
    assert output == "survived\n"


def test_late_subscription_gets_what_is_latched(dds, namespace, echo, poll):
    echo()
    received = []
    dds.open("test", namespace).subscribe("latched", STRING, received.append, LATCHED)
    assert poll(lambda: received)[0].data == "kept for those who come late"


def test_graph_shows_the_other_process(dds, namespace, echo, poll):
    echo()
    transport = dds.open("test", namespace)

    def services():
        node = transport.graph().node(f"{namespace}/echo")
        return node and node.services and node.publishers and node.subscriptions and node

    node = poll(services)
    assert node.services == (Endpoint(f"{namespace}/add", ADD),)
    assert node.subscriptions == (Endpoint(f"{namespace}/ping", JOINTS),)
    assert Endpoint(f"{namespace}/pong", JOINTS) in node.publishers


def test_killed_process_leaves_the_graph_and_its_successor_is_found(dds, namespace, echo, poll):
    transport = dds.open("test", namespace)
    received = []
    transport.subscribe("pong", JOINTS, received.append, DEFAULT)
    ping = transport.publisher("ping", JOINTS, DEFAULT)
    client = transport.client("add", ADD)
    for _ in range(2):
        process = echo(CYCLONEDDS_URI=f"{ISOLATION},{MORTAL}")
        poll(ping.subscriber_count)
        received.clear()
        poll(lambda: ping.publish(new(JOINTS)) or received)
        assert client.call(new(f"{ADD}_Request", a=1, b=2), GENEROUS).sum == 3
        process.kill()
        process.wait()
        poll(lambda: transport.graph().node(f"{namespace}/echo") is None)
        poll(lambda: ping.subscriber_count() == 0)
        poll(lambda: not client.wait_for_service(0.0))


def test_process_that_ends_leaves_at_once(dds, namespace, echo, poll):
    transport = dds.open("test", namespace)
    process = echo()
    poll(lambda: transport.graph().node(f"{namespace}/echo"))
    process.stdin.close()
    assert process.wait(GENEROUS) == 0
    poll(lambda: transport.graph().node(f"{namespace}/echo") is None)


def is_matched(transport, topic):
    info = transport.graph().topic(topic)
    return info is not None and info.publisher_count
