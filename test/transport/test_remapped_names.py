"""Names of nodes, topics and services from the command line, on the transports of our own."""

import shlex

import pytest
from dds_isolation import domain_environment

from controlit_bench.free_domain import free_domain
from controlit_ros.interfaces import new
from controlit_ros.ros_arguments import (
    VARIABLE,
    Remap,
    RosArgumentError,
    process_arguments,
    ros_arguments,
)
from controlit_ros.transport import InvalidNameError, open_transport
from controlit_ros.transport.local import LocalTransport
from controlit_ros.transport.remapping import own_name

STRING = "std_msgs/msg/String"
TRIGGER = "std_srvs/srv/Trigger"


@pytest.fixture
def started(monkeypatch):
    """Let this process have been started with some words for ROS 2."""
    monkeypatch.delenv(VARIABLE, raising=False)

    def start(*rules):
        words = [word for rule in rules for word in ("-r", rule)]
        monkeypatch.setattr("sys.argv", ["program", "--ros-args", *words])

    return start


def remaps(*rules):
    return ros_arguments(["--ros-args", *(w for rule in rules for w in ("-r", rule))]).remaps


def test_rules():
    assert remaps("a:=b", "arm:~/a:=/b", "rostopic://a:=b", "arm:rosservice:///a:=b") == (
        Remap("", "", "a", "b"),
        Remap("arm", "", "~/a", "/b"),
        Remap("", "rostopic", "a", "b"),
        Remap("arm", "rosservice", "/a", "b"),
    )
    with pytest.raises(RosArgumentError, match=r"--remap: found 'a:=', expected name:=name"):
        remaps("a:=")


@pytest.mark.parametrize("namespace", ["/robot1", "robot1", "/robot1/"])
def test_a_namespace_goes_before_the_nodes_own(started, namespace):
    started(f"__ns:={namespace}")
    assert own_name("servo", "/arm").full_name == "/robot1/arm/servo"
    assert own_name("servo").full_name == "/robot1/servo"
    assert own_name("_tool").full_name == "/robot1/_tool"
    started("__ns:=/a/b", "__ns:=/c")
    assert own_name("servo", "/arm").full_name == "/a/b/arm/servo"
    started("servo:__ns:=/left", "__ns:=/")
    assert own_name("servo", "/arm").full_name == "/left/arm/servo"
    assert own_name("simulator", "/arm").full_name == "/arm/simulator"
    started("__ns:=/1")
    with pytest.raises(InvalidNameError, match="found '1', expected letters"):
        own_name("servo")


def test_another_name_is_for_nodes_that_others_see(started):
    started("__node:=arm")
    assert own_name("servo", "/robot").full_name == "/robot/arm"
    assert [own_name(name).name for name in ("_tool_1", "_tool_2")] == ["_tool_1", "_tool_2"]
    started("simulator:__node:=world")
    assert [own_name(name).name for name in ("servo", "simulator")] == ["servo", "world"]


def test_what_is_handed_on(started, monkeypatch):
    words = ("--ros-args", "-r", "__ns:=/left", "-r", "__node:=arm", "-r", "a:=/b c")
    handed_on = ros_arguments(words).handed_on
    monkeypatch.setenv(VARIABLE, handed_on)
    monkeypatch.setattr("sys.argv", ["program"])
    assert process_arguments().remaps == remaps("__ns:=/left", "a:=/b c")
    assert shlex.split(handed_on)[0] == "--ros-args"
    assert own_name("simulator", "/arm").full_name == "/left/arm/simulator"
    assert ros_arguments(["run", "--ros-args", "-r", "__node:=arm"]).handed_on is None


RULES = ("__ns:=/left", "state:=/joint_states", "rosservice://stop:=halt", "rostopic://stop:=end")


def names(transport):
    topics = [transport.publisher(name, STRING).topic for name in ("state", "stop", "~/goal")]
    service = transport.serve("stop", TRIGGER, lambda _: new(f"{TRIGGER}_Response")).name
    return [*topics, service]


EXPECTED = ["/joint_states", "/left/robot/end", "/left/robot/servo/goal", "/left/robot/halt"]


def test_topics_and_services_are_remapped(started, request):
    started(*RULES)
    name = own_name("servo", "/robot")
    with LocalTransport(name.name, name.namespace, domain=request.node.nodeid) as transport:
        assert names(transport) == EXPECTED


@pytest.mark.processes
def test_on_dds_as_well(started, monkeypatch, poll):
    pytest.importorskip("cyclonedds")
    for name, value in domain_environment(free_domain()).items():
        monkeypatch.setenv(name, value)
    started(*RULES)
    heard = []
    with open_transport("servo", "/robot", name="dds") as transport:
        assert (transport.namespace, transport.node_name) == ("/left/robot", "servo")
        assert names(transport) == EXPECTED
        publisher = transport.publisher("state", STRING)
        started()
        with open_transport("peer", name="dds") as peer:
            peer.subscribe("/joint_states", STRING, lambda message: heard.append(message.data))
            poll(lambda: publisher.subscriber_count() == 1)
            publisher.publish(new(STRING, data="here"))
            poll(lambda: heard == ["here"])
            assert peer.client("/left/robot/halt", TRIGGER).call(new(f"{TRIGGER}_Request"))
            assert peer.graph().node("/left/robot/servo") is not None
