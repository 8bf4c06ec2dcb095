"""The transform from the world to the root link on `/tf` and `/tf_static`."""

from pathlib import Path

import numpy as np
import pytest

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport import LATCHED, Qos
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

TRIKEY = Path(__file__).parents[2] / "config" / "trikey" / "drive.yaml"
TYPE = "tf2_msgs/msg/TFMessage"
SETTINGS = {
    "servo_clock_type": "Simulated",
    "robot_interface.mode": "in_process",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
}


def pose(message):
    """Return frame, child, position and orientation of the only transform."""
    (entry,) = message.transforms
    transform = entry.transform
    return (
        entry.header.frame_id,
        entry.child_frame_id,
        [getattr(transform.translation, axis) for axis in "xyz"],
        [getattr(transform.rotation, axis) for axis in "xyzw"],
    )


def test_a_fixed_base_is_told_once_and_latched(make_node, peer, poll):
    node = make_node()
    node.start()
    cycles = node.coordinator.latency.cycles
    poll(lambda: node.coordinator.latency.cycles > cycles + 100)
    received = []
    peer.subscribe("/tf_static", TYPE, received.append, LATCHED)
    poll(lambda: received)
    assert pose(received[0]) == ("world", "base_link", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
    assert "/tf" not in {topic.name for topic in peer.graph().topics}
    cycles = node.coordinator.latency.cycles
    poll(lambda: node.coordinator.latency.cycles > cycles + 50)
    assert len(received) == 1


@pytest.fixture
def drive(request):
    """A driving robot in simulated time, and who listens to it."""
    domain = request.node.nodeid
    node = ServoNode(
        load_stack(TRIKEY, SETTINGS), LocalTransport("servo", "/trikey_controller", domain=domain)
    )
    with LocalTransport("peer", domain=domain) as peer:
        yield node, peer
        node.stop()


def test_a_free_base_is_told_as_it_moves(drive, poll):
    node, peer = drive
    received = []
    node.lifecycle.start()
    node.lifecycle.advance(200)
    before = node.transport.health().published
    subscription = peer.subscribe("/tf", TYPE, received.append, Qos(depth=100))
    # who listens is noticed by a thread that may come late: the robot must not be there by then
    poll(lambda: node.lifecycle.advance(1) and received)
    first = pose(received[0])[2]
    task = next(task for task in node.stack.tasks.tasks if task.name == "Position")
    task.goal.set((task.actual.value + np.array([0.1, 0.05, 0.0])).tolist())

    def moved():
        node.lifecycle.advance(10)
        frame, child, position, _ = pose(received[-1])
        assert (frame, child) == ("world", node.stack.robot.root_link)
        return len(received) > 50 and np.linalg.norm(np.subtract(position, first)) > 0.01

    poll(moved)
    state = node.coordinator.robot_state

    def is_there():
        *_, position, orientation = pose(received[-1])
        told = np.concatenate([position, orientation])
        measured = np.concatenate([state.base_position, state.base_orientation])
        return np.abs(told - measured).max() < 0.02

    poll(is_there)
    stamps = [m.transforms[0].header.stamp for m in received]
    times = [stamp.sec + 1e-9 * stamp.nanosec for stamp in stamps]
    assert np.median(np.diff(times)) > 0.009
    assert node.transport.health().published > before
    subscription.close()
