"""PathTaker: the path of a goal as the controller publishes it."""

from types import SimpleNamespace

import numpy as np
import pytest

from controlit_console.console_error import ConsoleError
from controlit_console.path_taker import PathTaker
from controlit_ros.interfaces import new
from controlit_ros.transport.local import LocalTransport, subscription

POINT, POSTURE = "geometry_msgs/msg/Point", "sensor_msgs/msg/JointState"


@pytest.fixture
def nodes(request):
    domain = request.node.nodeid
    with (
        LocalTransport("servo", "/arm", domain=domain) as servo,
        LocalTransport("console", domain=domain) as console,
    ):
        yield servo, console


@pytest.fixture
def now(monkeypatch):
    now = [100.0]
    clock = SimpleNamespace(time_ns=lambda: int(1e9 * now[0]))
    monkeypatch.setattr(subscription, "time", clock)
    return now


def robot(console):
    link = SimpleNamespace(transport=console, topic=lambda name: f"/arm/{name}")
    task = SimpleNamespace(goal=SimpleNamespace(name="goal_position"))
    return SimpleNamespace(session=SimpleNamespace(link=link, task=lambda _: task))


def publish(publisher, taker, messages, now, poll):
    for message in messages:
        now[0] += 0.5
        known = len(taker)
        publisher.publish(message)
        poll(lambda known=known: len(taker) > known)


def test_what_moved_is_the_path(nodes, now, poll):
    servo, console = nodes
    publisher = servo.publisher("Hand/reference_position", POINT)
    taker = PathTaker(robot(console), "Hand")
    points = [(0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 2, 1), (0, 2, 1)]
    messages = [new(POINT, x=float(x), y=float(y), z=float(z)) for x, y, z in points]
    publish(publisher, taker, messages, now, poll)
    path = taker.end()
    assert path.task == "Hand"
    assert path.goals.tolist() == [[0, 0, 0], [0, 0, 1], [0, 2, 1]]
    assert path.times == pytest.approx([0.0, 0.1, 0.6])  # it set out a moment before it was seen
    assert publisher.subscriber_count() == 0


def test_a_posture_is_a_path_of_joints(nodes, now, poll):
    servo, console = nodes
    publisher = servo.publisher("Posture/reference_position", POSTURE)
    taker = PathTaker(robot(console), "Posture")
    postures = [new(POSTURE, name=["a", "b"], position=np.array([0.0, p])) for p in (0.0, 1.0)]
    publish(publisher, taker, postures, now, poll)
    assert taker.end().goals.tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_a_goal_that_rests_is_no_path(nodes, now, poll):
    servo, console = nodes
    publisher = servo.publisher("Hand/reference_position", POINT)
    taker = PathTaker(robot(console), "Hand")
    publish(publisher, taker, [new(POINT, x=1.0)] * 2, now, poll)
    with pytest.raises(ConsoleError, match="did not move"):
        taker.end()


def test_goals_that_nobody_tells_are_no_path(nodes):
    with pytest.raises(ConsoleError, match="/arm/Hand/reference_position"):
        PathTaker(robot(nodes[1]), "Hand")
