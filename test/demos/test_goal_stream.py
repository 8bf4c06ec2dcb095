"""What goes out for a goal, how often, and what beside it."""

from types import SimpleNamespace

import numpy as np
import pinocchio as pin
import pytest

from controlit_demos.programs.goal_stream import GoalStream
from controlit_demos.running.task_topics import TaskTopics
from controlit_ros.bindings import conversion
from controlit_ros.client.goal_outlet import GoalPlace, GoalPlaces
from controlit_ros.parameters import Parameter, Quantity
from controlit_ros.paths.angular import angular
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.paths.unit_trajectory import UnitTrajectory
from controlit_ros.transport import LATCHED
from controlit_ros.transport.local import LocalTransport

STEP = 1e-5  # [s]


@pytest.mark.parametrize("time", [0.3, 1.1, 1.9])
def test_orientations_have_angular_velocity_and_acceleration(time, rng):
    path = UnitTrajectory([0.0, 1.0, 2.0], rng.normal((0.0, 0.0, 0.0, 3.0), size=(3, 4)))

    def rotation(t):
        return pin.Quaternion(path.at(t).value).toRotationMatrix()

    def velocity(t):
        return angular(path.at(t)).velocity

    turn = pin.log3(rotation(time + STEP) @ rotation(time - STEP).T) / (2.0 * STEP)
    np.testing.assert_allclose(velocity(time), turn, atol=1e-6)
    rate = (velocity(time + STEP) - velocity(time - STEP)) / (2.0 * STEP)
    np.testing.assert_allclose(angular(path.at(time)).acceleration, rate, atol=1e-5)


class Program:
    """Two states of a second each; the goal is the time."""

    phases = ((0.0, "reach"), (1.0, "rest"))
    problems = ()
    duration = 2.0
    tasks = ("Hand",)
    watched = ()

    def goals(self, elapsed, _actual):
        return {"Hand": TrajectorySample(np.full(3, elapsed), np.zeros(3), np.zeros(3))}

    def is_over(self, _elapsed):
        return False


@pytest.fixture
def stream(request):
    """A stream of goals, and a node that hears it."""
    goal = Parameter("goal", np.zeros(3), shape=(3,), quantity=Quantity.POINT)
    places = GoalPlaces(GoalPlace("Hand/goal", conversion(goal)), None, None)
    topics = TaskTopics(places, GoalPlace("Hand/actual", conversion(goal)))
    domain = request.node.nodeid
    with (
        LocalTransport("demo", "/arm", domain=domain) as transport,
        LocalTransport("peer", "/arm", domain=domain) as peer,
    ):
        yield GoalStream(Program(), {"Hand": topics}, transport, {}), peer


def test_goals_go_out_a_hundred_times_a_second(stream, monkeypatch, poll):
    """Whatever a round takes, as long as it is over before the next."""
    goals, peer = stream
    received = []
    peer.subscribe("Hand/goal", "geometry_msgs/msg/Point", received.append)
    clock = [5.0]

    def wait(duration):
        clock[0] += duration
        return False

    send = goals.send
    monkeypatch.setattr(goals, "send", lambda t: (send(t), wait(0.004)))
    monkeypatch.setattr(goals, "_stop", SimpleNamespace(wait=wait))
    monkeypatch.setattr(
        "controlit_demos.programs.goal_stream.time",
        SimpleNamespace(monotonic=lambda: clock[0], time=lambda: clock[0]),
    )
    goals._send_until(5.0, 0.995)
    times = goals.goals["Hand"].track().times
    np.testing.assert_allclose(times, [*np.arange(100) / 100.0, 0.995], atol=1e-9)
    poll(lambda: received and received[-1].x == 0.995)


def test_the_state_is_told_as_it_changes(stream, poll):
    goals, peer = stream
    heard, late = [], []
    text = "std_msgs/msg/String"
    peer.subscribe("demo/state", text, lambda message: heard.append(message.data), LATCHED)
    goals.send(0.0)
    poll(lambda: heard == ["reach"])
    for elapsed in (0.5, 1.0, 1.5):
        goals.send(elapsed)
    poll(lambda: heard == ["reach", "rest"])
    peer.subscribe("demo/state", text, lambda message: late.append(message.data), LATCHED)
    poll(lambda: late == ["rest"])
