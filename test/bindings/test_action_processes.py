"""The action of a servo in another process, over DDS: it moves in real time."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from free_domain import domain_environment, free_domain
from patience import GENEROUS

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.interfaces import new
from controlit_ros.transport import LATCHED, open_transport

pytestmark = pytest.mark.processes

CLI = Path(__file__).parents[1] / "cli"
STILL = CLI / "controllers" / "still.yaml"
PATIENT = (sys.executable, str(CLI / "patient_console.py"))
"""The command without watchdogs: a servo called stuck would end its goals."""
ACTION = "control_msgs/action/FollowJointTrajectory"
NAME = "/cli_still/follow_joint_trajectory/_action"


@pytest.fixture
def network(monkeypatch):
    """A client's transport in the domain of a running servo."""
    pytest.importorskip("cyclonedds")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE", raising=False)
    for name, value in domain_environment(free_domain()).items():
        monkeypatch.setenv(name, value)
    arguments = [*PATIENT, "run", str(STILL), "--quiet", "--transport", "dds"]
    with subprocess.Popen(arguments) as process, open_transport("planner", name="dds") as opened:
        yield opened
        process.terminate()
        assert process.wait(GENEROUS) == 0


def send(network, time):
    identifier = list(uuid.uuid4().bytes)
    points = [{"positions": [0.3], "time_from_start": {"sec": time}}]
    goal = {"trajectory": {"joint_names": ["left_elbow"], "points": points}}
    client = network.client(f"{NAME}/send_goal", f"{ACTION}_SendGoal")
    request = new(f"{ACTION}_SendGoal_Request", goal_id={"uuid": identifier}, goal=goal)
    assert client.call(request, GENEROUS).accepted
    return identifier


def result(network, identifier):
    client = network.client(f"{NAME}/get_result", f"{ACTION}_GetResult")
    request = new(f"{ACTION}_GetResult_Request", goal_id={"uuid": identifier})
    return GoalStatus(client.call(request, GENEROUS).status)


def test_goals_end_and_are_cancelled(network, poll):
    states = []
    topic = "/cli_still/diagnostics/state"
    network.subscribe(topic, "std_msgs/msg/String", lambda m: states.append(m.data), LATCHED)
    poll(lambda: "active" in states, GENEROUS)
    first = result(network, send(network, 1))
    assert first is GoalStatus.SUCCEEDED
    feedback = []
    network.subscribe(f"{NAME}/feedback", f"{ACTION}_FeedbackMessage", feedback.append)
    running = send(network, 1000)
    poll(lambda: feedback)
    cancel = network.client(f"{NAME}/cancel_goal", "action_msgs/srv/CancelGoal")
    answer = cancel.call(new("action_msgs/srv/CancelGoal_Request"), GENEROUS)
    assert bytes(answer.goals_canceling[0].goal_id.uuid) == bytes(running)
    assert result(network, running) is GoalStatus.CANCELED
