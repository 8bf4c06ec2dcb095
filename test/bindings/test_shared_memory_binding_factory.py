"""Bindings through shared memory: other processes move goals and watch errors without messages."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from controlit_ros.bindings import (
    BindingConfig,
    BindingContext,
    BindingError,
    BindingManager,
    Direction,
)
from controlit_ros.bindings.shared_memory_binding_factory import SharedMemoryBindingFactory
from controlit_ros.bindings.shared_vector import VectorReceiver, VectorSender, channel_name
from controlit_ros.parameters import Access, Kind, Mailbox, Parameter
from controlit_ros.robots.channel import ChannelError, channel_path
from controlit_ros.servo import NoticeBoard, Outbox

pytestmark = pytest.mark.processes

SENDER = """
import sys
from controlit_ros.bindings.shared_vector import VectorSender
from controlit_ros.robots import channel
channel.LOCK_PATIENCE = 600.0  # who looks for the owner may stand still while it does
sender = VectorSender(sys.argv[1], 3)
sender.send([1.0, 2.0, 3.0])
print("sent", flush=True)
sys.stdin.read()
"""


class Bound:
    """Some parameters bound through shared memory, and no servo."""

    def __init__(self, transport):
        output = {"access": Access.OUTPUT}
        self.parameters = {
            p.full_name: p
            for p in (
                Parameter("goal", 0.0, owner="Hand", shape=(3,), broadcast=True),
                Parameter("kp", 1.0, owner="Hand", lower=0.0),
                Parameter("error", 0.0, owner="Hand", shape=(3,), broadcast=True, **output),
                Parameter("norm", 0.5, owner="Hand", **output),
                Parameter(
                    "angles", 0.0, owner="Hand", shape=(2,), broadcast=True, labels=("a", "b")
                ),
                Parameter("mode", "", owner="Hand", kind=Kind.TEXT),
                Parameter("count", 0, owner="Hand", kind=Kind.INTEGER),
                Parameter("list", (), owner="Hand", shape=(None,)),
            )
        }
        self.mailbox, self.outbox, self.notices = Mailbox(), Outbox(), []
        board = NoticeBoard(self.outbox.add_queue(self.notices.append))
        context = BindingContext(transport, self.mailbox, self.outbox, board, 0.0)
        factory = SharedMemoryBindingFactory(context)
        self.manager = BindingManager(self.parameters, {"shared_memory": factory})

    def bind(self, parameter, direction, **properties):
        config = BindingConfig(f"Hand.{parameter}", direction, f"Hand/{parameter}", **properties)
        return self.manager.bind(config, "shared_memory")

    def values(self, name):
        """Do what the servo does with its mail, and return a value."""
        while self.mailbox.next() is not None:
            self.mailbox.apply_next()
        value = self.parameters[f"Hand.{name}"].value
        return value.tolist() if isinstance(value, np.ndarray) else value

    def warnings(self):
        self.outbox.deliver_all()
        return [notice.text for notice in self.notices]


@pytest.fixture
def namespace(request):
    """Name a namespace of this test alone, and remove what it leaves in memory."""
    token = f"test_{os.getpid()}_{abs(hash(request.node.nodeid))}"
    yield f"/{token}"
    folder = channel_path("x").parent
    for leftover in folder.glob(f"*{token}*"):
        leftover.unlink()


@pytest.fixture
def bound(namespace):
    made = Bound(SimpleNamespace(node_name="servo", namespace=namespace))
    yield made
    made.manager.stop()


@pytest.fixture
def start_sender(namespace):
    processes = []

    def start(topic="Hand/goal"):
        process = subprocess.Popen(
            [sys.executable, "-c", SENDER, f"{namespace}/{topic}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout.readline() == "sent\n"
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_goals_come_in(bound, namespace, poll):
    binding = bound.bind("goal", Direction.INPUT)
    bound.manager.start()
    with VectorSender(f"{namespace}/Hand/goal", 3) as goal:
        goal.send([0.1, 0.2, 0.3])
        poll(lambda: bound.values("goal") == [0.1, 0.2, 0.3])
        goal.send([0.4, 0.5, 0.6])
        poll(lambda: bound.values("goal") == [0.4, 0.5, 0.6])
    poll(lambda: binding.received == 2)  # counted when the servo may have it
    assert binding.message_type == "float64[3]"


def test_numbers_come_in(bound, namespace, poll):
    bound.bind("kp", Direction.INPUT)
    bound.manager.start()
    with VectorSender(f"{namespace}/Hand/kp", 1) as gain:
        gain.send(64.0)
        poll(lambda: bound.values("kp") == 64.0)


def test_values_go_out(bound, namespace):
    bound.bind("error", Direction.OUTPUT, publish_rate=0.0)
    bound.bind("norm", Direction.OUTPUT, publish_rate=0.0)
    bound.manager.start()
    bound.parameters["Hand.error"].value[:] = (1.0, 2.0, 3.0)
    with (
        VectorReceiver(f"{namespace}/Hand/error", 3) as error,
        VectorReceiver(f"{namespace}/Hand/norm", 1) as norm,
    ):
        assert error.receive() is None
        bound.outbox.offer_all(1.0)
        bound.outbox.deliver_all()
        error.wait(60.0)
        np.testing.assert_array_equal(error.receive(), [1, 2, 3])
        assert error.receive() is None
        np.testing.assert_array_equal(norm.receive(), [0.5])
        assert error.owner == os.getpid()


def test_a_sender_that_dies_is_told_and_its_last_value_stays(bound, start_sender, poll):
    bound.bind("goal", Direction.INPUT)
    bound.manager.start()
    sender = start_sender()
    poll(lambda: bound.values("goal") == [1.0, 2.0, 3.0])
    sender.kill()
    sender.wait()
    (text,) = poll(bound.warnings)
    assert text == f"topic Hand/goal: process {sender.pid}, which sent its values, has ended"
    assert bound.values("goal") == [1.0, 2.0, 3.0]
    bound.parameters["Hand.goal"].set(0.0)
    start_sender()
    poll(lambda: bound.values("goal") == [1.0, 2.0, 3.0])


@pytest.mark.parametrize("latched", [False, True])
def test_a_goal_from_before_counts_only_if_latched(bound, start_sender, poll, latched):
    start_sender("Hand/goal")
    binding = bound.bind("goal", Direction.INPUT, latched=latched)
    bound.manager.start()
    poll(lambda: bound.manager._factories["shared_memory"]._inputs[0]._is_alive)
    if latched:
        poll(lambda: binding.received == 1)
    bound.manager.stop()
    assert bound.values("goal") == ([1.0, 2.0, 3.0] if latched else [0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("goal", [0.0, np.nan, 0.0], "not finite"),
        ("goal", [np.inf, 0.0, 0.0], "not finite"),
        ("kp", -1.0, "expected a finite number >= 0"),
    ],
)
def test_values_that_do_not_fit_are_counted(bound, namespace, poll, name, value, reason):
    binding = bound.bind(name, Direction.INPUT)
    bound.manager.start()
    with VectorSender(f"{namespace}/Hand/{name}", np.size(value)) as sender:
        sender.send(value)
        poll(lambda: binding.rejected == 1)
    assert reason in binding.last_rejection
    assert bound.mailbox.next() is None


def test_another_layout_is_refused_and_told(bound, namespace, poll):
    bound.bind("angles", Direction.INPUT)
    bound.manager.start()
    with VectorSender(f"{namespace}/Hand/angles", 2, ("b", "a")) as sender:
        sender.send([1.0, 2.0])
        assert "something else" in poll(bound.warnings)[0]
    assert bound.values("angles") == [0.0, 0.0]
    with VectorSender(f"{namespace}/Hand/angles", 2, ("a", "b")) as sender:
        sender.send([1.0, 2.0])
        poll(lambda: bound.values("angles") == [1.0, 2.0])


@pytest.mark.parametrize(
    ("name", "direction", "properties", "reason"),
    [
        ("mode", Direction.INPUT, {}, "Hand.mode cannot travel through shared memory: found a te"),
        ("count", Direction.OUTPUT, {}, "found a integer"),
        ("list", Direction.OUTPUT, {}, "vector of fixed length"),
        ("error", Direction.INPUT, {}, "it is an output"),
        ("goal", Direction.INPUT, {"message_type": "geometry_msgs/msg/Point"}, "message_type"),
    ],
)
def test_impossible_bindings(bound, name, direction, properties, reason):
    with pytest.raises(BindingError, match=reason):
        bound.bind(name, direction, **properties)


def test_two_senders_of_one_topic(bound, namespace):
    bound.bind("error", Direction.OUTPUT)
    with (
        VectorSender(f"{namespace}/Hand/error", 3),
        pytest.raises(ChannelError, match="belongs to process"),
    ):
        bound.manager.start()


def test_a_sender_checks_how_many_values_it_is_given(namespace):
    with (
        VectorSender(f"{namespace}/x", 3) as sender,
        pytest.raises(ValueError, match="found 2 values, expected 3"),
    ):
        sender.send([1.0, 2.0])


def test_names_tell_domains_apart(monkeypatch):
    names = set()
    for domain in ("1", "2"):
        monkeypatch.setenv("ROS_DOMAIN_ID", domain)
        names.add(channel_name("/arm/Hand/goal"))
    assert names == {"binding.1.arm.Hand.goal", "binding.2.arm.Hand.goal"}
