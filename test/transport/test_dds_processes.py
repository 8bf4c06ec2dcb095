"""Nodes in different processes, on DDS."""

import pytest

from controlit_ros.interfaces import new
from controlit_ros.transport import DEFAULT, LATCHED, Endpoint

JOINTS = "sensor_msgs/msg/JointState"
STRING = "std_msgs/msg/String"
ADD = "example_interfaces/srv/AddTwoInts"
NAMESPACE = "/processes"
GENEROUS = 30.0


@pytest.fixture
def echo(peer):
    """Start node `echo` and return its process once it is ready."""

    def start():
        process = peer("echo.py", NAMESPACE)
        assert process.stdout.readline() == "ready\n"
        return process

    return start


def test_messages_go_there_and_back(dds, echo, poll):
    echo()
    transport = dds.open("test", NAMESPACE)
    received = []
    transport.subscribe("pong", JOINTS, received.append, DEFAULT)
    ping = transport.publisher("ping", JOINTS, DEFAULT)
    poll(lambda: ping.subscriber_count() and is_matched(transport, "pong"))
    sent = new(JOINTS, name=["a"], position=[1.5])
    poll(lambda: ping.publish(sent) or received)
    assert received[0] == sent


def test_services_answer(dds, echo):
    echo()
    client = dds.open("test", NAMESPACE).client("add", ADD)
    for number in range(20):
        assert client.call(new(f"{ADD}_Request", a=number, b=1), GENEROUS).sum == number + 1


def test_calls_right_after_discovery_are_answered(echo, peer):
    echo()
    caller = peer("calls.py", NAMESPACE, "30")
    output, _ = caller.communicate(timeout=GENEROUS * 3)
    assert output.split() == [str(number + 1) for number in range(30)]


def test_late_subscription_gets_what_is_latched(dds, echo, poll):
    echo()
    received = []
    dds.open("test", NAMESPACE).subscribe("latched", STRING, received.append, LATCHED)
    assert poll(lambda: received)[0].data == "kept for those who come late"


def test_graph_shows_the_other_process(dds, echo, poll):
    echo()
    transport = dds.open("test", NAMESPACE)

    def services():
        node = transport.graph().node(f"{NAMESPACE}/echo")
        return node and node.services and node.publishers and node.subscriptions and node

    node = poll(services)
    assert node.services == (Endpoint(f"{NAMESPACE}/add", ADD),)
    assert node.subscriptions == (Endpoint(f"{NAMESPACE}/ping", JOINTS),)
    assert Endpoint(f"{NAMESPACE}/pong", JOINTS) in node.publishers


def test_killed_process_leaves_the_graph_and_its_successor_is_found(dds, echo, poll):
    transport = dds.open("test", NAMESPACE)
    received = []
    transport.subscribe("pong", JOINTS, received.append, DEFAULT)
    ping = transport.publisher("ping", JOINTS, DEFAULT)
    client = transport.client("add", ADD)
    for _ in range(2):
        process = echo()
        poll(ping.subscriber_count)
        received.clear()
        poll(lambda: ping.publish(new(JOINTS)) or received)
        assert client.call(new(f"{ADD}_Request", a=1, b=2), GENEROUS).sum == 3
        process.kill()
        process.wait()
        poll(lambda: transport.graph().node(f"{NAMESPACE}/echo") is None)
        poll(lambda: ping.subscriber_count() == 0)
        poll(lambda: not client.wait_for_service(0.0))


def test_process_that_ends_leaves_at_once(dds, echo, poll):
    transport = dds.open("test", NAMESPACE)
    process = echo()
    poll(lambda: transport.graph().node(f"{NAMESPACE}/echo"))
    process.stdin.close()
    assert process.wait(GENEROUS) == 0
    poll(lambda: transport.graph().node(f"{NAMESPACE}/echo") is None)


def is_matched(transport, topic):
    info = transport.graph().topic(f"{NAMESPACE}/{topic}")
    return info is not None and info.publisher_count
