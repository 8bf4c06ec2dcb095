"""The action of a servo in another process, over DDS: it moves in real time."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from action_peer import ActionPeer
from dds_isolation import go_to_free_domain
from patience import GENEROUS, HOLDS_ON

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.bindings.task_actions import FOLLOW, FOLLOW_NAME, MOVE_TASK, MOVE_TASK_NAME
from controlit_ros.bindings.task_motion import MotionCode
from controlit_ros.transport import LATCHED, open_transport

pytestmark = pytest.mark.processes

CLI = Path(__file__).parents[1] / "cli"
STILL = CLI / "controllers" / "still.yaml"
PATIENT = (sys.executable, str(CLI / "patient_console.py"))
"""The command without watchdogs: a servo called stuck would end its goals."""
FOLLOW_JOINTS = "control_msgs/action/FollowJointTrajectory"
NAME = "/cli_still"


@pytest.fixture
def network(monkeypatch, poll):
    """A client's transport in the domain of a running servo."""
    pytest.importorskip("cyclonedds")
    go_to_free_domain(monkeypatch)
    # goals end where control ends, if only for a moment
    arguments = [*PATIENT, "run", str(STILL), "--quiet", "--transport", "dds", *HOLDS_ON]
    with subprocess.Popen(arguments) as process, open_transport("planner", name="dds") as opened:
        states = []
        topic = f"{NAME}/diagnostics/state"
        opened.subscribe(topic, "std_msgs/msg/String", lambda m: states.append(m.data), LATCHED)
        poll(lambda: "active" in states, GENEROUS)
        yield opened
        process.terminate()
        assert process.wait(GENEROUS) == 0


def test_goals_of_joints_end_and_are_cancelled(network, poll):
    joints = ActionPeer(network, f"{NAME}/follow_joint_trajectory", FOLLOW_JOINTS)

    def send(time):
        points = [{"positions": [0.3], "time_from_start": {"sec": time}}]
        return joints.send(trajectory={"joint_names": ["left_elbow"], "points": points})

    assert joints.result(send(1))[0] is GoalStatus.SUCCEEDED
    running = send(1000)
    poll(lambda: [m for m in joints.feedback if list(m.goal_id.uuid) == running])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(joints.result, running)
        assert joints.cancel(running) == 1
        assert waiting.result(GENEROUS)[0] is GoalStatus.CANCELED


def test_goals_of_tasks_end_and_are_cancelled(network, poll):
    """Also while somebody waits for the result of another goal, of any action."""
    move = ActionPeer(network, f"{NAME}/{MOVE_TASK_NAME}", MOVE_TASK)
    follow = ActionPeer(network, f"{NAME}/{FOLLOW_NAME}", FOLLOW)
    goal = {"task": "Posture", "names": ["left_elbow"], "goal": [0.3]}
    running = follow.send(
        trajectories=[
            {
                "task": "Idle",
                "points": [{"goal": [0.3, 0.3, 1.0], "time_from_start": {"sec": 1000}}],
            }
        ]
    )
    assert running is None  # that task is disabled
    running = move.send(**goal, duration={"sec": 1000})
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(move.result, running)
        poll(lambda: move.feedback)
        points = [{"goal": [0.2], "time_from_start": {"sec": 1}}]
        part = {"task": "Posture", "names": ["left_elbow"], "points": points}
        second = follow.send(trajectories=[part])
        status, result = waiting.result(GENEROUS)
        assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.REPLACED)
        status, result = follow.result(second)
        assert (status, result.code) == (GoalStatus.SUCCEEDED, MotionCode.SUCCESSFUL)
    third = move.send(**goal, duration={"sec": 1000})
    assert move.cancel(third) == 1
    assert move.result(third)[0] is GoalStatus.CANCELED
    # the robot of this file never moves, which the servo's process knows
    far = move.send(**goal, speed=0.5, goal_tolerance=0.01, goal_time_tolerance={"sec": 1})
    status, result = move.result(far)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.GOAL_TOLERANCE_VIOLATED)
    assert result.error > 0.05


def test_hostile_goals_over_dds_leave_the_servo_alone(network, poll):
    move = ActionPeer(network, f"{NAME}/{MOVE_TASK_NAME}", MOVE_TASK)
    warnings = []
    network.subscribe(
        f"{NAME}/diagnostics/warnings", "std_msgs/msg/String", lambda m: warnings.append(m.data)
    )
    hostile = (
        {"task": "Postur"},
        {"task": "Posture"},
        {"task": "Posture", "names": ["left_elbow"], "goal": [math.nan], "speed": 1.0},
        {"task": "Posture", "names": ["left_elbow"], "goal": [1e308], "speed": 1e308},
        {"task": "Posture", "goal": [1e6] * 100_000, "speed": 1.0},
        {"task": "x" * 100_000},
    )
    for goal in hostile * 5:
        assert move.send(**goal) is None
    poll(
        lambda: (
            move.send(task="Postur") is None
            and any("move_task rejected: unknown task 'Postur'" in text for text in warnings)
        )
    )
    goal = {"task": "Posture", "names": ["left_elbow"], "speed": 0.5}
    accepted = [move.send(**goal, goal=[0.001 * number]) for number in range(200)]
    assert accepted.count(None) < 20, (
        warnings
    )  # a machine that stands still ends control for a while
    last = poll(lambda: move.send(**goal, goal=[0.1]), GENEROUS)
    assert move.result(last)[0] is GoalStatus.SUCCEEDED
