"""A controller whose base is told by a topic."""

from pathlib import Path

import numpy as np
import pytest

from controlit_ros.configuration import ConfigurationError
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport.local import LocalTransport

ROOT = Path(__file__).parents[2]
TRIKEY = ROOT / "config" / "trikey" / "drive.yaml"
STILL = ROOT / "test" / "cli" / "controllers" / "still.yaml"
ODOMETRY = "nav_msgs/msg/Odometry"
FAST = {
    "servo_clock_type": "Simulated",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "odometry_source": "topic",
}


def test_a_bolted_robot_needs_none():
    with pytest.raises(ConfigurationError, match="a contact bolts the root link to the world"):
        load_stack(STILL, {"odometry_source": "topic"})


def test_a_free_robot_waits_for_it_and_uses_it(request, poll):
    stack = load_stack(
        TRIKEY, {**FAST, "odometry_topic": "/base/odom", "robot_interface.mode": "in_process"}
    )
    domain = request.node.nodeid
    namespace = f"/{stack.configuration.name}"
    with LocalTransport("peer", "/", domain=domain) as peer:
        publisher = peer.publisher("/base/odom", ODOMETRY)
        servo = LocalTransport("servo", namespace, domain=domain)
        with ServoNode(stack, servo) as node:
            node.lifecycle.advance(20)
            assert node.state is CoordinatorState.INACTIVE

            def is_active():
                pose = {"position": {"x": 0.5}, "orientation": {"w": 1.0}}
                publisher.publish(new(ODOMETRY, pose={"pose": pose}))
                servo.settle()
                node.lifecycle.advance(2)
                return node.state is CoordinatorState.ACTIVE

            poll(is_active)
            np.testing.assert_array_equal(node.coordinator.robot_state.base_position, (0.5, 0, 0))
            assert "odometry.position" in stack.directory
            node.lifecycle.advance(200)
            assert node.state is CoordinatorState.SAFE
