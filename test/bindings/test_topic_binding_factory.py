"""Bindings of tasks to topics, over `local`: what is let in and what goes out."""

import math

import numpy as np
import pytest
from robots_for_tests import configured, dreamer

from controlit_ros.bindings import (
    BindingConfig,
    BindingContext,
    BindingError,
    BindingManager,
    Direction,
    default_bindings,
)
from controlit_ros.bindings.topic_binding_factory import TopicBindingFactory
from controlit_ros.interfaces import new
from controlit_ros.parameters import Access, Mailbox, ParameterDirectory
from controlit_ros.servo import NoticeBoard, Outbox
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D
from controlit_ros.transport import LATCHED

POINT = "geometry_msgs/msg/Point"
JOINT_STATE = "sensor_msgs/msg/JointState"


class Bound:
    """Four tasks with their default bindings, and no servo."""

    def __init__(self, transport, stated=()):
        robot = dreamer()
        self.tasks = (
            configured(CartesianPosition("Hand", robot), body="right_wrist_yaw"),
            configured(Orientation2D("Heading", robot), body="right_wrist_yaw"),
            configured(Orientation3D("Head", robot), body="left_wrist_yaw"),
            configured(JointPosition("Posture", robot)),
        )
        self.mailbox, self.outbox, self.notices = Mailbox(), Outbox(), []
        board = NoticeBoard(self.outbox.add_queue(self.notices.append))
        context = BindingContext(transport, self.mailbox, self.outbox, board, 0.0)
        directory = ParameterDirectory(self.tasks)
        self.manager = BindingManager(directory, {"topic": TopicBindingFactory(context)})
        for config in (*stated, *default_bindings(self.tasks, stated)):
            self.manager.bind(config, "topic")

    def binding(self, topic):
        return next(b for b in self.manager.bindings if b.config.topic == topic)

    def parameter(self, name):
        task, _, parameter = name.partition(".")
        return next(t for t in self.tasks if t.name == task).parameter(parameter)

    def apply(self):
        """Do what the servo does with its mail."""
        while self.mailbox.next() is not None:
            self.mailbox.apply_next()

    def offer(self, now=1.0):
        """Do what a cycle of the servo and its writer do."""
        for sampler in self.outbox._samplers:
            sampler.is_wanted = sampler.wanted is None or sampler.wanted()
        self.outbox.offer_all(now)
        self.outbox.deliver_all()


@pytest.fixture
def bound(local):
    return Bound(local("servo"))


@pytest.fixture
def peer(local):
    return local("peer")


def test_default_bindings(bound):
    found = {
        (b.config.topic, b.config.direction.value): b.message_type for b in bound.manager.bindings
    }
    assert found["Hand/goal_position", "input"] == POINT
    assert found["Hand/goal_velocity", "input"] == "geometry_msgs/msg/Vector3"
    assert found["Hand/error", "output"] == "std_msgs/msg/Float64MultiArray"
    assert found["Hand/error_norm", "output"] == "std_msgs/msg/Float64"
    assert found["Hand/actual_position", "output"] == POINT
    assert found["Heading/goal_vector", "input"] == "geometry_msgs/msg/Vector3"
    assert found["Head/goal_orientation", "input"] == "geometry_msgs/msg/Quaternion"
    assert found["Posture/goal_position", "input"] == JOINT_STATE
    for task in bound.tasks:
        directions = [d for topic, d in found if topic.startswith(f"{task.name}/")]
        assert directions.count("output") == 4
        goals = (task.goal, task.goal_velocity, task.goal_acceleration)
        assert directions.count("input") == sum(goal is not None for goal in goals)


def test_stated_bindings_replace_defaults(local):
    stated = BindingConfig("Hand.goal_position", Direction.INPUT, "elsewhere")
    bound = Bound(local("servo"), [stated])
    topics = [b.config.topic for b in bound.manager.bindings]
    assert "elsewhere" in topics
    assert "Hand/goal_position" not in topics
    assert "Hand/actual_position" in topics


@pytest.mark.parametrize(
    ("config", "transport_type", "text"),
    [
        (BindingConfig("Hand.kp", Direction.INPUT, "x"), "topc", "did you mean 'topic'"),
        (BindingConfig("Hand.kpp", Direction.INPUT, "x"), "topic", "did you mean 'kp'"),
        (BindingConfig("Hand.error", Direction.INPUT, "x"), "topic", "it is an output"),
        (BindingConfig("Hand.body", Direction.INPUT, "x"), "topic", "it is configuration"),
        (
            BindingConfig("Hand.goal_position", Direction.INPUT, "x", message_type=JOINT_STATE),
            "topic",
            "cannot travel as",
        ),
        (BindingConfig("Hand.kp", Direction.INPUT, "no name"), "topic", "expected letters"),
    ],
)
def test_impossible_bindings(bound, config, transport_type, text):
    with pytest.raises(BindingError, match=text):
        bound.manager.bind(config, transport_type)


def publish(bound, peer, poll, topic, message):
    """Publish a message and wait until the binding has judged it."""
    binding = bound.binding(topic)
    publisher = peer.publisher(topic, binding.message_type)
    count = binding.received + binding.rejected
    publisher.publish(message)
    poll(lambda: binding.received + binding.rejected > count)
    publisher.close()
    return binding


def test_goals_come_in(bound, peer, poll):
    binding = publish(bound, peer, poll, "Hand/goal_position", new(POINT, x=0.1, y=0.2, z=0.3))
    goal = bound.parameter("Hand.goal_position")
    assert not goal.stated  # nothing changes before the servo says so
    bound.apply()
    assert goal.snapshot() == [0.1, 0.2, 0.3]
    assert goal.stated
    assert (binding.received, binding.rejected) == (1, 0)


def test_part_of_a_posture(bound, peer, poll):
    message = new(JOINT_STATE, name=["right_elbow"], position=[0.7])
    publish(bound, peer, poll, "Posture/goal_position", message)
    bound.apply()
    goal = bound.parameter("Posture.goal_position")
    assert goal.value[goal.labels.index("right_elbow")] == 0.7
    assert np.count_nonzero(goal.value) == 1


@pytest.mark.parametrize(
    ("topic", "message", "reason"),
    [
        ("Hand/goal_position", (POINT, {"x": math.nan}), "not finite"),
        ("Hand/goal_position", (POINT, {"z": math.inf}), "not finite"),
        ("Hand/goal_velocity", ("geometry_msgs/msg/Vector3", {"x": -math.inf}), "not finite"),
        ("Heading/goal_vector", ("geometry_msgs/msg/Vector3", {}), "no direction"),
        ("Head/goal_orientation", ("geometry_msgs/msg/Quaternion", {"w": 0.0}), "no direction"),
        ("Head/goal_orientation", ("geometry_msgs/msg/Quaternion", {"x": math.nan}), "not finite"),
        ("Posture/goal_position", (JOINT_STATE, {"name": ["x"], "position": [0]}), "unknown name"),
        ("Posture/goal_position", (JOINT_STATE, {"position": [0.0]}), "0 names and 1 numbers"),
        (
            "Posture/goal_position",
            (JOINT_STATE, {"name": ["right_elbow"], "position": [math.nan]}),
            "not finite",
        ),
        (
            "Posture/goal_velocity",
            (JOINT_STATE, {"name": ["right_elbow"], "position": [1.0]}),
            "1 names and 0 numbers in velocity",
        ),
    ],
)
def test_what_does_not_fit_is_counted_and_never_reaches_the_servo(
    bound, peer, poll, topic, message, reason
):
    type_name, fields = message
    binding = publish(bound, peer, poll, topic, new(type_name, **fields))
    assert (binding.received, binding.rejected) == (0, 1)
    assert reason in binding.last_rejection
    assert bound.mailbox.next() is None
    bound.outbox.deliver_all()
    (notice,) = bound.notices
    assert notice.text == f"topic {topic}: {binding.last_rejection}"


def test_a_wrong_frame_is_counted(local, peer, poll):
    stated = BindingConfig(
        "Hand.goal_position", Direction.INPUT, "goal", message_type="geometry_msgs/msg/PoseStamped"
    )
    bound = Bound(local("servo"), [stated])
    message = new("geometry_msgs/msg/PoseStamped", header={"frame_id": "torso"})
    binding = publish(bound, peer, poll, "goal", message)
    assert binding.rejected == 1
    assert "found frame_id 'torso'" in binding.last_rejection
    assert bound.mailbox.next() is None


def test_outputs_go_out_to_who_listens(bound, peer, poll):
    bound.parameter("Hand.error_norm").value = 0.25
    bound.parameter("Hand.actual_position").value[:] = [1.0, 2.0, 3.0]
    bound.offer(1.0)
    received = {"norm": [], "actual": []}
    peer.subscribe("Hand/error_norm", "std_msgs/msg/Float64", received["norm"].append)
    peer.subscribe("Hand/actual_position", POINT, received["actual"].append)
    bound.offer(2.0)
    poll(lambda: received["norm"] and received["actual"])
    assert received["norm"][0].data == 0.25
    assert received["actual"][0].z == 3.0


def test_outputs_keep_their_rate(local, peer):
    transport = local("servo")
    bound = Bound(transport)
    peer.subscribe("Hand/error_norm", "std_msgs/msg/Float64", lambda _message: None)
    bound.offer(0.5)  # the goals, which are offered once, whoever listens
    before = transport.health().published
    for cycle in range(1000):
        bound.offer(1.0 + 0.001 * cycle)
    assert transport.health().published - before == pytest.approx(100, abs=3)


def test_texts_and_latched_outputs(local, peer, poll):
    stated = BindingConfig("Hand.operational_state", Direction.OUTPUT, "state", latched=True)
    bound = Bound(local("servo"), [stated])
    bound.offer(1.0)
    received = []
    peer.subscribe("state", "std_msgs/msg/String", received.append, LATCHED)
    poll(lambda: received)
    assert received[0].data == "enable"


def test_every_input_is_a_parameter_that_may_change(bound):
    for binding in bound.manager.bindings:
        access = bound.parameter(binding.config.parameter).access
        is_free = "goal_" in binding.config.parameter
        assert access is (Access.RUN_TIME if is_free else Access.OUTPUT)
        assert is_free or binding.config.direction is Direction.OUTPUT


def test_the_goal_a_task_follows_is_told_when_it_changes_and_to_who_comes_late(local, peer, poll):
    transport = local("servo")
    bound = Bound(transport)
    goal, heading = bound.parameter("Hand.goal_position"), bound.parameter("Heading.goal_vector")
    bound.offer(1.0)
    told = transport.health().published
    for cycle in range(50):
        bound.offer(1.1 + 0.1 * cycle)
    assert transport.health().published == told  # nothing changed
    received, late = [], []
    peer.subscribe("Hand/reference_position", POINT, received.append, LATCHED)
    poll(lambda: received)
    goal.set([0.1, 0.2, 0.3])  # as a latch at activation, a trajectory or a service does
    bound.offer(10.0)
    heading.set([0.0, 1.0, 0.0])
    bound.offer(20.0)
    peer.subscribe("Heading/reference_vector", "geometry_msgs/msg/Vector3", late.append, LATCHED)
    poll(lambda: late and len(received) == 2)
    assert [received[1].x, received[1].y, received[1].z] == [0.1, 0.2, 0.3]
    assert late[0].y == 1.0
    assert transport.health().published == told + 2


def test_goals_come_at_no_higher_rate_than_others(local):
    transport = local("servo")
    bound = Bound(transport)
    goal = bound.parameter("Hand.goal_position")
    bound.offer(0.5)
    before = transport.health().published
    for cycle in range(1000):
        goal.set([0.001 * cycle, 0.0, 0.0])
        bound.offer(1.0 + 0.001 * cycle)
    assert transport.health().published - before == pytest.approx(100, abs=3)


def test_a_stated_output_of_the_goal_replaces_the_reference(local):
    stated = BindingConfig("Hand.goal_position", Direction.OUTPUT, "led_to", latched=True)
    topics = [b.config.topic for b in Bound(local("servo"), [stated]).manager.bindings]
    assert "led_to" in topics
    assert "Hand/reference_position" not in topics
    assert "Heading/reference_vector" in topics


@pytest.mark.parametrize("direction", Direction)
def test_the_queue_is_as_long_as_configured(local, monkeypatch, direction):
    transport, depths = local("servo"), {}

    def keep(topic, _type, *_arguments):
        depths[topic] = _arguments[-1].depth
        return make(topic, _type, *_arguments)

    method = "subscribe" if direction is Direction.INPUT else "publisher"
    make = getattr(transport, method)
    monkeypatch.setattr(transport, method, keep)
    Bound(transport, [BindingConfig("Hand.goal_position", direction, "goal", queue_size=7)])
    assert depths["goal"] == 7
