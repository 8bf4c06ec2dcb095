"""A servo in simulated time from `/clock`, over `local`."""

import threading
from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import new
from controlit_ros.nodes import servo_lifecycle
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.clock_topic import TYPE, ClockTopic
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport import SENSOR_STATE
from controlit_ros.transport.local import LocalTransport

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
SETTINGS = {
    "servo_clock_type": "RosTime",
    "servo_clock.use_sim_time": True,
    "soft_start_time": 0.0,
    "single_threaded_model": True,
    "single_threaded_tasks": True,
}
PERIOD = 0.004  # [s] of the servo


class World:
    """A servo, and a node that makes its time."""

    def __init__(self, domain, poll):
        self._poll = poll
        self.peer = LocalTransport("world", domain=domain)
        self.clock = ClockTopic(self.peer)
        stack = load_stack(STILL, SETTINGS)
        self.node = ServoNode(stack, LocalTransport("servo", "/cli_still", domain=domain))
        self.now = 0.0

    @property
    def cycles(self):
        return self.node.coordinator.latency.cycles

    def tell(self, now):
        """Publish a time and wait until the servo has made the cycle of it."""
        self.now = now
        cycles = self.cycles
        self.clock.tell(now)
        self._poll(lambda: self.cycles == cycles + 1)

    def advance(self, count=10):
        for _ in range(count):
            self.tell(self.now + PERIOD)

    def close(self):
        self.node.stop()
        self.peer.close()


@pytest.fixture
def world(request, poll):
    made = World(request.node.nodeid, poll)
    yield made
    made.close()


def test_the_servo_runs_in_the_time_of_the_topic(world, poll):
    received = []
    subscription = world.peer.subscribe(
        "/cli_still/joint_states", "sensor_msgs/msg/JointState", received.append, SENSOR_STATE
    )
    world.node.start()
    assert world.cycles == 0
    world.tell(50.0)
    world.advance()
    assert world.node.state.value == "active"
    assert world.node.coordinator.latency.overruns == 0
    assert world.node.coordinator.latency.period == pytest.approx(PERIOD)

    def sampled():
        world.advance(1)
        return received

    stamp = poll(sampled)[0].header.stamp
    assert 50.0 <= stamp.sec + 1e-9 * stamp.nanosec <= world.now + 1e-6
    subscription.close()


def test_a_stopped_clock_stops_the_servo_and_nothing_hangs(world, monkeypatch, poll):
    monkeypatch.setattr(servo_lifecycle, "ACTIVATION_PATIENCE", 0.2)
    world.node.start()
    world.tell(50.0)
    world.advance()
    cycles = world.cycles
    poll(lambda: not world.node.stack.clock.is_ticking)
    assert world.cycles == cycles
    assert world.node.lifecycle.machine.trigger("deactivate")  # nothing is commanded any more
    world.advance(1)
    poll(lambda: world.node.state.value == "inactive")
    assert not world.node.lifecycle.machine.trigger("activate")  # for want of time
    world.node.stop()


def test_time_that_jumps_back_begins_anew(world):
    world.node.start()
    world.tell(50.0)
    world.advance()
    world.tell(2.0)
    assert world.node.coordinator.status.starts == 2
    world.advance()
    assert world.node.state.value == "active"
    assert world.node.coordinator.latency.overruns == 0


@pytest.fixture
def follower(world, poll):
    """What follows a long trajectory, in the midst of it."""
    world.node.start()
    world.tell(50.0)
    world.advance()
    topic = world.peer.publisher(
        "/cli_still/joint_trajectory", "trajectory_msgs/msg/JointTrajectory"
    )
    points = [{"positions": [0.5], "time_from_start": time_fields(100.0)}]
    topic.publish(new(topic.type_name, joint_names=["left_elbow"], points=points))
    found = world.node.actions.trajectories._follower
    poll(lambda: found._trajectory is not None)
    world.advance(50)
    return found


def test_a_jump_aborts_trajectories(world, follower, poll):
    goal = follower._task.goal.value.copy()
    world.tell(10_000.0)
    poll(lambda: follower._trajectory is None)
    world.advance(5)
    assert follower._task.goal.value == pytest.approx(goal, abs=0.02)  # not 0.5 at once


def test_a_jump_the_servo_has_not_seen_yet_moves_no_goal(world, follower, poll):
    robot, cycles = world.node.stack.robot_interface, world.cycles
    read, is_reading, may_read = robot.read, threading.Event(), threading.Event()

    def read_late(state):
        is_reading.set()
        assert may_read.wait(GENEROUS)
        return read(state)

    robot.read = read_late
    world.clock.tell(world.now + PERIOD)
    poll(is_reading.is_set)
    world.clock.tell(10_000.0)
    poll(lambda: world.node.stack.clock.now == 10_000.0)
    goal = follower._task.goal.value.copy()
    world.node.actions.trajectories.step()
    world.now = 10_000.0
    may_read.set()
    poll(lambda: world.cycles == cycles + 2)
    poll(lambda: follower._trajectory is None)
    world.advance(5)
    assert follower._task.goal.value == pytest.approx(goal, abs=0.02)


def test_nothing_is_published_for_nobody(world):
    other = LocalTransport("alone", domain="nobody else")
    topic = ClockTopic(other)
    topic.tell(1.0)
    assert other.health().published == 0
    other.subscribe("/clock", TYPE, lambda _: None, SENSOR_STATE)
    topic.tell(1.0)
    assert other.health().published == 1
    other.close()
    assert world.cycles == 0
