"""Demonstrations over each robot interface, with the simulator in a process of its own."""

import os

import numpy as np
import pytest
from run_in_time import CONFIGURATIONS, patient, run_in_time

from controlit_demos.disassembly.scene_view import scene_view
from controlit_demos.humanoid.pusher import pusher
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.processes.child_process import ChildProcessEndedError
from controlit_ros.processes.robot_process import RobotProcess
from controlit_ros.robots.push_channel import PushWriter
from controlit_ros.robots.scene_channel import SceneReader

pytestmark = pytest.mark.processes

DURATION = 3.0  # [s] of motion
SLACK = 5.0  # times the bound: cycles may be late, a robot that hears nothing is far off
TRAVEL = 0.05  # [m] of the task within the duration

RUNS = (
    ("hands", "SharedMemory", "RightHandPosition"),
    ("hands", "UDP", "RightHandPosition"),
    ("hands", "Topic", "RightHandPosition"),
    ("trikey", "Topic", "Position"),  # whose base moves and has to be told
)


@pytest.mark.parametrize(("demo", "interface", "task"), RUNS)
def test_follows_its_goals(demo, interface, task, tmp_path):
    configuration = patient(demo, tmp_path)
    report, _ = run_in_time(demo, DURATION, tmp_path, interface, configuration)
    assert report["errors"][task]["mean"] < SLACK * report["errors"][task]["bound"]
    actual = np.load(tmp_path / "data.npz")[f"{task}/actual"]
    assert np.ptp(actual, axis=0).max() > TRAVEL
    log = (tmp_path / "simulator.log").read_text()
    assert log.startswith("simulating ")
    assert {"UDP": "over UDP", "Topic": "over topics"}.get(interface, "over channel") in log


@pytest.mark.parametrize("interface", ["SharedMemory", "UDP", "Topic"])
def test_what_happens_in_the_world_is_seen_over_every_interface(interface):
    changes = {"robot_interface_type": interface, "name": f"seen_{os.getpid()}"}
    stack = load_stack(CONFIGURATIONS / "dreamer" / "disassembly.yaml", changes)
    view, pushes = scene_view(stack), pusher(stack)
    assert isinstance(view, SceneReader)
    assert isinstance(pushes, PushWriter)
    view.close()
    pushes.close()


def test_robots_that_cannot_be_simulated_have_no_scene():
    changes = {"robot_interface_type": "Benchmark"}
    stack = load_stack(CONFIGURATIONS / "dreamer" / "disassembly.yaml", changes)
    for look in (scene_view, pusher):
        with pytest.raises(ControlItError, match=r"interface Benchmark, expected MuJoCo, Shared"):
            look(stack)


def said(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_simulated_time_has_its_own_robot(tmp_path, capsys):
    options = DemoOptions(interface="UDP", folder=tmp_path, quiet=True, simulated_time=True)
    assert run_demo("hands", options) == 1
    assert "found the robot interface 'UDP', expected 'MuJoCo'" in said(capsys)


def test_a_robot_that_nobody_simulates_is_refused(tmp_path, capsys):
    assert run_demo("hands", DemoOptions(interface="Benchmark", folder=tmp_path, quiet=True)) == 1
    assert "robot interface Benchmark, expected MuJoCo, SharedMemory, UDP" in said(capsys)


def test_a_simulator_that_ends_is_told_with_its_log(tmp_path, poll):
    def has_ended():
        try:
            robot.check()
        except ChildProcessEndedError as error:
            return str(error)
        return ""

    absent = tmp_path / "absent.yaml"
    with RobotProcess(absent, tmp_path, duration=60.0, transport=None, settings={}) as robot:
        text = poll(has_ended)
    assert text.startswith("the simulator process ended with exit code 1:\n")
    assert "there is no such file" in text
