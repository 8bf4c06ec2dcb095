"""Controllers in processes of their own, in real time: what clients do there, and when they die."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from dds_isolation import domain_environment
from lock_step import CONTROLLERS
from patience import GENEROUS, HOLDS_ON

from controlit_bench.free_domain import free_domain
from controlit_ros.client import (
    ControllerLostError,
    MotionState,
    connect,
)

pytestmark = pytest.mark.processes

NAME = "cli_test"
PATIENT = (sys.executable, str(Path(__file__).parents[1] / "cli" / "patient_console.py"))
REACH = {"name": "Reach", "type": "CartesianPosition", "body": "left_wrist_yaw", "kp": 64, "kd": 16}
NEAR = 0.005  # [m]
SOON = 5.0  # [s] that a client looks for a controller that it lost


@pytest.fixture(params=["dds", pytest.param("rclpy", marks=pytest.mark.ros)])
def transport(request, monkeypatch):
    """Name of a transport between processes, in a domain of the test."""
    pytest.importorskip({"dds": "cyclonedds", "rclpy": "rclpy"}[request.param])
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE", raising=False)
    for name, value in domain_environment(free_domain()).items():
        monkeypatch.setenv(name, value)
    return request.param


@pytest.fixture
def run(transport):
    """Start controllers; end them afterwards."""
    started = []

    def start():
        # motions end where control ends, if only for a moment
        arguments = [*PATIENT, "run", str(CONTROLLERS / "hand.yaml"), "--quiet", *HOLDS_ON]
        started.append(
            subprocess.Popen([*arguments, "--transport", transport], start_new_session=True)
        )
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.terminate()
            assert process.wait(GENEROUS) == 0


def end_at_once(process):
    """Kill a controller with all that belongs to it, as a machine that fails does."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_ten_lines_move_a_hand(run, transport):
    run()
    place = [0.30, -0.30, 1.00]
    arrived = {"name": "Arrived", "expression": f"RightHandPosition.error_norm < {NEAR}"}
    with connect(NAME, timeout=GENEROUS, transport=transport) as robot:
        robot.add_event(arrived)
        hand = robot.task("RightHandPosition")
        assert hand.move_to(place, duration=2.0).wait(GENEROUS) is MotionState.ARRIVED
        robot.wait_for("Arrived", timeout=GENEROUS)
        np.testing.assert_allclose(hand.actual, place, atol=2 * NEAR)


def test_a_client_adds_a_task_moves_it_removes_it_and_leaves(run, transport, poll):
    """OCRA's use: the server holds every task where it is until a client says otherwise."""
    run()
    with connect(NAME, timeout=GENEROUS, transport=transport) as robot:
        held = {name: task.goal for name, task in robot.tasks.items()}
        before = robot.frame(REACH["body"]).position
        reach = robot.add_task(REACH, priority=2)
        start = reach.goal
        # one whose simulator or servo is held up sags, and comes back to where it shall be
        np.testing.assert_allclose(start, before, atol=10 * NEAR)
        poll(lambda: np.allclose(start, reach.actual, rtol=0.0, atol=NEAR))
        goal = start + np.array([0.05, 0.0, 0.05])
        motion = reach.move_to(goal, duration=1.0, kind="minimum_jerk")
        assert motion.wait(GENEROUS) is MotionState.ARRIVED
        np.testing.assert_allclose(reach.goal, goal, atol=1e-9)
        poll(lambda: np.allclose(reach.actual, goal, rtol=0.0, atol=NEAR))
        poll(lambda: reach.error_norm < NEAR)
        robot.remove_task("Reach")
        assert "Reach" not in robot.tasks
    with connect(NAME, timeout=GENEROUS, transport=transport) as robot:
        assert {name: task.goal.tolist() for name, task in robot.tasks.items()} == {
            name: goal.tolist() for name, goal in held.items()
        }
        assert robot.state == "active"
        poll(lambda: np.abs(robot.joints.velocity).max() < 0.01)
        poll(lambda: all(task.error_norm < 2 * NEAR for task in robot.tasks.values()))


def test_a_controller_that_dies_is_an_exception_and_one_that_returns_a_connection(run, transport):
    first = run()
    with (
        connect(NAME, timeout=GENEROUS, transport=transport) as robot,
        connect(NAME, timeout=SOON, transport=transport, reconnect=True) as patient,
    ):
        hand = robot.task("RightHandPosition")
        motion = hand.move_to(hand.goal + np.array([0.02, 0.0, 0.0]), duration=1000.0)
        events = robot.events()
        end_at_once(first)
        begin = time.monotonic()
        for waiting in (
            motion.wait,
            lambda: robot.wait_for("Fast", timeout=GENEROUS),
            lambda: next(events),
            lambda: hand.goal,
            lambda: hand.actual,
            lambda: robot.joints,
            lambda: robot.set({"Posture.kp": 30.0}),
            lambda: robot.wait_until("inactive", GENEROUS),
        ):
            with pytest.raises(ControllerLostError, match="lost"):
                waiting()
        assert time.monotonic() - begin < GENEROUS  # none of them waited for its own bound
        with pytest.raises(ControllerLostError):
            _ = patient.task("Posture").goal
        run()
        deadline = time.monotonic() + GENEROUS
        while time.monotonic() < deadline:
            try:
                gain = patient.parameters["Posture.kp"]
                break
            except ControllerLostError:
                continue
        assert gain[0] == 64.0
        again = patient.task("RightHandPosition")
        motion = again.move_to(again.goal + np.array([0.01, 0.0, 0.0]), duration=0.5)
        assert motion.wait(GENEROUS) is MotionState.ARRIVED
        with pytest.raises(ControllerLostError):  # who did not ask for that stays lost
            _ = robot.state
