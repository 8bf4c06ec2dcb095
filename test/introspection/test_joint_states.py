"""`joint_states`, `robot_description` and `/diagnostics` of a running servo."""

import time

import pytest

from controlit_ros.interfaces import encode, new
from controlit_ros.introspection.lifecycle_graph import UNCONFIGURED
from controlit_ros.transport import DEFAULT, EVENTS, LATCHED, SENSOR_STATE

pytestmark = pytest.mark.processes

JOINT_STATE = "sensor_msgs/msg/JointState"
DIAGNOSTICS = "diagnostic_msgs/msg/DiagnosticArray"
OK, WARN, ERROR, STALE = range(4)


def test_joint_states(make_node, peer, poll):
    node = make_node(**{"robot_interface.posture": 0.2})
    node.start()
    received = []
    subscription = peer.subscribe("joint_states", JOINT_STATE, received.append, SENSOR_STATE)
    poll(lambda: len(received) > 20)
    message = received[-1]
    assert tuple(message.name) == node.stack.robot.real_joints
    assert set(message.position) == {0.2}
    assert len(message.velocity) == len(message.effort) == len(message.name)
    stamp = message.header.stamp
    assert abs(stamp.sec + 1e-9 * stamp.nanosec - time.time()) < 60.0
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in received]
    assert (stamps[-1] - stamps[0]) / (len(stamps) - 1) > 0.008  # some may be lost
    subscription.close()


@pytest.mark.parametrize("quality", [DEFAULT, SENSOR_STATE], ids=["reliable", "best effort"])
def test_joint_states_serve_who_asks_for_reliability_and_who_does_not(
    make_node, peer, poll, quality
):
    received = []
    node = make_node()
    peer.subscribe("joint_states", JOINT_STATE, received.append, quality)
    node.start()
    poll(lambda: received)


def test_nothing_is_sampled_for_nobody(make_node, peer, poll):
    node = make_node()
    delivered = []
    queue = node.outbox.add_local_queue(delivered.append)
    node.start()
    received = []
    subscription = peer.subscribe("joint_states", JOINT_STATE, received.append, SENSOR_STATE)
    poll(lambda: received)
    subscription.close()
    samplers = [sampler for sampler in node.outbox._samplers if sampler.wanted is not None]
    poll(lambda: not any(sampler.is_wanted for sampler in samplers))

    def published():
        """Return how much went out, once everything sampled so far has."""
        for _ in range(2):  # the first may overtake what the writer has just passed by
            count = len(delivered)
            queue.offer("mark")
            poll(lambda count=count: len(delivered) > count)
        return node.transport.health().published

    run(node, poll, 2)  # a cycle under way may still sample
    before = published()
    run(node, poll, 60)
    assert published() == before


def test_robot_description_is_latched(make_node, peer, poll):
    node = make_node()
    received = []
    peer.subscribe("robot_description", "std_msgs/msg/String", received.append, LATCHED)
    poll(lambda: received)
    assert received[0].data == node.stack.robot.urdf
    assert "<robot" in received[0].data


@pytest.fixture
def statuses(peer, monkeypatch):
    """What `/diagnostics` says when asked, and only then, by name."""
    monkeypatch.setattr("controlit_ros.introspection.diagnostics_array.PERIOD", 1000.0)
    received = []
    peer.subscribe("/diagnostics", DIAGNOSTICS, received.append)

    def last(node, poll):
        count = len(received)
        node.diagnostics.publish()
        poll(lambda: len(received) > count)
        return {status.name: status for status in received[-1].status}

    return last


def run(node, poll, cycles=100):
    target = node.coordinator.latency.cycles + cycles
    poll(lambda: node.coordinator.latency.cycles > target)


def test_diagnostics_of_a_running_servo(make_node, statuses, poll):
    node = make_node()
    node.start()
    run(node, poll)
    statuses(node, poll)

    def frequency():
        run(node, poll)
        values = statuses(node, poll)["cli_still: servo"].values
        return float({entry.key: entry.value for entry in values}["frequency [Hz]"])

    poll(lambda: 0.0 < frequency() < 300.0)  # more where its time and its cycles are read apart

    def all_delivered():  # a writer that is held up for a while has to drop what is sampled
        run(node, poll)
        found = statuses(node, poll)
        parts = ("servo", "robot", "messages", "topics")
        assert set(found) == {f"cli_still: {part}" for part in parts}
        return found["cli_still: messages"].level == OK and found

    found = poll(all_delivered)
    servo = found["cli_still: servo"]
    assert servo.level in (OK, WARN)  # a busy machine may make it overrun
    values = {entry.key: entry.value for entry in servo.values}
    assert values["state"] == "active"
    assert float(values["lateness p99 [µs]"]) >= 0.0
    assert servo.hardware_id == "cli_still"
    assert found["cli_still: robot"].level == OK


def test_diagnostics_of_trouble(make_node, statuses, poll):
    node = make_node()
    node.start()
    run(node, poll, 20)
    robot = node.stack.robot_interface
    robot.read = lambda _state: False
    poll(lambda: node.state.value == "safe")
    statuses(node, poll)
    found = statuses(node, poll)
    assert found["cli_still: servo"].level == ERROR
    assert found["cli_still: robot"].level == STALE
    del robot.read


def test_frequency_that_is_not_reached_is_warned_of(make_node, peer, poll):
    node, warnings = make_node(), []
    peer.subscribe("diagnostics/warnings", "std_msgs/msg/String", warnings.append, EVENTS)
    node.start()
    robot = node.stack.robot_interface
    read = robot.read

    def read_slowly(state):
        time.sleep(2.0 / node.stack.clock.frequency)
        return read(state)

    robot.read = read_slowly
    poll(lambda: any("servo_frequency is not reached" in w.data for w in warnings))
    del robot.read


def test_diagnostics_of_overruns_and_slowness(make_node, statuses, poll):
    node = make_node()
    node.start()
    run(node, poll, 20)
    statuses(node, poll)
    node.coordinator.latency.overruns += 3
    run(node, poll, 2)
    servo = statuses(node, poll)["cli_still: servo"]
    assert servo.level == WARN


def test_rejected_messages_are_told(make_node, statuses, peer, poll):
    node = make_node()
    publisher = peer.publisher("Posture/goal_position", JOINT_STATE)
    publisher.publish(new(JOINT_STATE, name=["no_joint"], position=[1.0]))
    poll(lambda: sum(binding.rejected for binding in node.bindings.bindings))
    found = statuses(node, poll)
    assert found["cli_still: messages"].level == WARN
    assert "1 rejected" in found["cli_still: messages"].message
    values = {entry.key: entry.value for entry in found["cli_still: messages"].values}
    assert values["rejected"] == "1"
    assert "unknown name 'no_joint'" in values["last rejection"]
    assert values["failed deliveries"] == "0"
    assert int(values["transport: received"]) >= 1
    assert statuses(node, poll)["cli_still: messages"].level == OK
    publisher.publish(new(JOINT_STATE, name=["joint", "joint"], position=[1.0, 2.0]))
    poll(lambda: sum(binding.rejected for binding in node.bindings.bindings) == 2)
    publisher.publish(new(JOINT_STATE, name=[], position=[]))
    poll(lambda: sum(binding.received for binding in node.bindings.bindings))
    values = {e.key: e.value for e in statuses(node, poll)["cli_still: messages"].values}
    assert "'joint' stands twice, expected once" in values["last rejection"]
    assert values["received by bindings"] == "1"
    node.outbox._count(OSError("unplugged"))
    messages = statuses(node, poll)["cli_still: messages"]
    assert messages.level == WARN
    assert "OSError('unplugged')" in {entry.value for entry in messages.values}


def test_counts_and_sizes_of_each_topic_are_told(make_node, statuses, peer, poll):
    node = make_node()
    node.start()

    def told(topic):
        status = statuses(node, poll)["cli_still: topics"]
        values = {entry.key: entry.value for entry in status.values}
        return [int(word) for word in values[f"/cli_still/{topic}"].split() if word.isdecimal()]

    assert told("joint_states") == [0, 0]
    received = []
    subscription = peer.subscribe("joint_states", JOINT_STATE, received.append, DEFAULT)
    poll(lambda: len(received) > 5)
    subscription.close()
    poll(lambda: told("joint_states") == told("joint_states"))
    messages, size = told("joint_states")
    assert messages >= len(received)
    assert size == messages * len(encode(JOINT_STATE, received[0]))
    assert told("robot_description")[0] == 1
    status = statuses(node, poll)["cli_still: topics"]
    assert (status.level, status.message.endswith("kB a second")) == (OK, True)


def test_unconfigured_is_no_error(make_node, statuses, poll):
    node = make_node()
    node.start(UNCONFIGURED)
    found = statuses(node, poll)
    assert {status.level for status in found.values()} == {OK}
    assert found["cli_still: servo"].message == "not configured"


def test_once_a_second_by_itself(make_node, peer, poll):
    node = make_node()
    received = []
    peer.subscribe("/diagnostics", DIAGNOSTICS, received.append)
    node.start(UNCONFIGURED)
    poll(lambda: len(received) >= 3)
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in received]
    assert stamps[2] - stamps[0] > 1.99


def test_what_began_meanwhile_has_no_frequency(make_node, statuses, poll):
    """Cycles over a time in which there were none for a while are nobody's frequency."""
    node = make_node()
    node.start()
    run(node, poll)

    def servo():
        found = statuses(node, poll)["cli_still: servo"]
        return found.message, {entry.key: entry.value for entry in found.values}["frequency [Hz]"]

    message, frequency = servo()
    assert frequency == "unknown"
    assert "Hz" not in message
    run(node, poll)
    assert float(servo()[1]) > 0.0


def test_who_comes_late_hears_of_the_last_second(make_node, poll, monkeypatch):
    monkeypatch.setattr("controlit_ros.introspection.diagnostics_array.PERIOD", 0.01)
    node = make_node()
    node.start()
    node.coordinator.latency.overruns += 1000
    poll(lambda: node.diagnostics._last.overruns >= 1000)  # though nobody listens
