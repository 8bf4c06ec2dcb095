"""The topics of the reference below `diagnostics/`, over `local`."""

import numpy as np
import pytest

from controlit_ros.model import RobotModel

pytestmark = pytest.mark.processes

JOINTS = "sensor_msgs/msg/JointState"
NUMBER = "std_msgs/msg/Float64"
TEXT = "std_msgs/msg/String"
TYPES = {
    "RTTCommLatency": NUMBER,
    "command": JOINTS,
    "errors": TEXT,
    "gravityVector": JOINTS,
    "jointState": JOINTS,
    "modelLatency": NUMBER,
    "servoComputeLatency": "controlit/msg/ServoComputeLatency",
    "servoFrequency": NUMBER,
    "warnings": TEXT,
}  # the names of the reference, facts section 5


@pytest.fixture
def node(make_node, poll):
    node = make_node()
    node.start()
    poll(lambda: node.state.value == "active")
    return node


@pytest.fixture
def newest(peer, poll):
    """Wait for a message of a topic."""

    def wait(topic):
        found = []
        subscription = peer.subscribe(f"diagnostics/{topic}", TYPES[topic], found.append)
        poll(lambda: found)
        subscription.close()
        return found[-1]

    return wait


def test_every_topic_of_the_reference_is_there(node, peer):
    published = {info.name: info.types for info in peer.graph().topics if info.publisher_count}
    for topic, type_name in TYPES.items():
        assert published[f"/cli_still/diagnostics/{topic}"] == (type_name,)


def test_gravity_is_that_of_the_posture(node, newest):
    model = RobotModel(node.stack.robot)
    model.update(node.coordinator.robot_state)
    message = newest("gravityVector")
    assert tuple(message.name) == node.stack.robot.real_joints
    np.testing.assert_allclose(message.effort, model.G[6:], atol=1e-9)


def test_joints_and_command(node, newest, poll):
    state = newest("jointState")
    assert tuple(state.name) == node.stack.robot.real_joints
    assert len(state.position) == len(state.velocity) == len(state.effort) == len(state.name)
    command = newest("command")
    assert tuple(command.name) == node.stack.robot.command_joints

    def is_what_is_sent():  # which may be looked at in the midst of a cycle
        sent = node.coordinator.command.effort
        return np.allclose(newest("command").effort, sent, rtol=0.0, atol=1e-6)

    poll(is_what_is_sent)


@pytest.mark.usefixtures("node")
def test_numbers_of_the_servo(newest, poll):
    poll(lambda: newest("servoFrequency").data > 0.0)  # of the first cycle there is none
    assert newest("modelLatency").data >= 0.0
    parts = newest("servoComputeLatency")
    names = ("read", "odometry", "update_model", "compute_command", "events", "write")
    assert sum(getattr(parts, name) for name in names) == pytest.approx(parts.total)


def test_round_trips_are_measured(node, newest, poll):
    """The robot of the test reflects sequence numbers in the cycle after it got them."""
    poll(lambda: 0.0 < newest("RTTCommLatency").data < 60.0)
    assert node.coordinator.command.sequence > 0
