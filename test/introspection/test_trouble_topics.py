"""`diagnostics/errors` and `diagnostics/warnings`, and controllers beside each other."""

import math
from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

TEXT = "std_msgs/msg/String"
POINT = "geometry_msgs/msg/Point"
SET = "controlit/srv/SetParameters"
STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"


@pytest.fixture
def texts(peer):
    """What a topic tells from now on."""

    def listen(topic):
        found = []
        peer.subscribe(topic, TEXT, lambda message: found.append(message.data))
        return found

    return listen


def test_a_command_that_is_no_number_is_an_error(make_node, texts, poll):
    node = make_node()
    errors = texts("diagnostics/errors")
    node.start()
    poll(lambda: node.state.value == "active")
    assert errors == []
    compute = node.stack.controller.compute_command

    def broken(*arguments):
        compute(*arguments)
        arguments[-1].effort[3] = math.nan

    node.stack.controller.compute_command = broken
    poll(lambda: any("not finite" in text for text in list(errors)))
    poll(lambda: node.state.value == "safe")


def test_a_limit_is_a_warning_with_joint_value_and_limit(make_node, texts, poll):
    node = make_node(max_effort_command={"left_elbow": 1e-3})
    warnings = texts("diagnostics/warnings")
    node.start()
    found = poll(lambda: [text for text in warnings if "max_effort_command" in text])[0]
    assert "of left_elbow: command " in found
    assert "limit " in found
    assert "right_elbow" not in found


@pytest.mark.parametrize("way", ["topic", "service"])
def test_a_goal_out_of_reach_is_a_warning(make_node, texts, peer, poll, way):
    node = make_node()
    warnings = texts("diagnostics/warnings")
    node.start()
    poll(lambda: node.coordinator.robot_state.stamp != 0.0)
    if way == "topic":
        goals = peer.publisher("Idle/goal_position", POINT)
        poll(lambda: goals.publish(new(POINT, z=9.0)) or warnings)
    else:
        values = {"names": ["Idle.goal_position"], "values": ["[0, 0, 9]"]}
        client = peer.client("control/setParameters", SET)
        poll(lambda: client.call(new(f"{SET}_Request", **values), GENEROUS) and warnings)
    assert any("Idle.goal_position: the goal is " in text for text in warnings)


@pytest.fixture
def pair(request, fast):
    """Two controllers of one file in one domain, each in its namespace."""
    domain = request.node.nodeid
    nodes = []
    for name in ("left", "right"):
        stack = load_stack(STILL, {**fast, "name": name})
        nodes.append(ServoNode(stack, LocalTransport("servo", f"/{name}", domain=domain)))
    for node in nodes:
        node.start()
    yield nodes
    for node in nodes:
        node.stop()


def test_controllers_do_not_hear_each_other(pair, peer, poll):
    left, right = pair
    poll(lambda: all(node.state.value == "active" for node in pair))
    kind = "controlit/srv/SetTaskPriority"
    client = peer.client("/left/control/setTaskPriority", kind)
    assert client.call(new(f"{kind}_Request", task="Posture", priority=4), GENEROUS).success
    priorities = [node.stack.directory["Posture.priority"].value for node in pair]
    assert priorities == [4, 0]
    names = {topic.name for topic in peer.graph().topics}
    for node, name in ((left, "left"), (right, "right")):
        assert node.stack.configuration.name == name
        assert f"/{name}/diagnostics/jointState" in names
        assert f"/{name}/Posture/error_norm" in names
