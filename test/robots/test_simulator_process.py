"""The simulator in its own process: both sides may die, and the servo never waits."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots import RobotInterfaceError, simulator_process
from controlit_ros.robots.channel import ChannelReader
from controlit_ros.robots.layout import state_layout
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.robots.simulator_process import SimulatorProcess

pytestmark = pytest.mark.processes


class Servo:
    """A servo loop reduced to its skeleton, driven by the conditions of a test."""

    def __init__(self, setup, link):
        self.link = link
        self.state = RobotState(setup.joint_names)
        self.command = Command(setup.command_names)
        self.measurements = 0

    def cycle(self):
        new = self.link.read(self.state)
        self.link.write(self.command)
        self.measurements += new
        return new


def kill_simulator(servo, poll):
    """Kill the servo's simulator and read the last that it left; what comes then is of another."""
    dead = servo.link.pid
    os.kill(dead, signal.SIGKILL)
    poll(lambda: servo.link.pid != dead)
    servo.cycle()
    return dead


@pytest.fixture
def make_link(dreamer, channel_name):
    links = []

    def make(*, setup=dreamer, respawn=True, channel=channel_name, **options):
        description = SimulatorDescription(setup, {"channel": channel, **options})
        links.append(SimulatorProcess(description, channel, respawn=respawn))
        return links[-1]

    yield make
    for link in links:
        link.deactivate()


@pytest.fixture
def start_by_hand(dreamer, channel_name, tmp_path):
    processes = []

    def start(setup=dreamer, **options):
        path = tmp_path / "simulator.json"
        description = SimulatorDescription(setup, {"channel": channel_name, **options})
        path.write_text(description.to_json())
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "controlit_ros.nodes.simulator", str(path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def watcher(dreamer, channel_name):
    """Return a second reader of the state channel."""
    size = len(RobotState(dreamer.joint_names).vector)
    return ChannelReader(f"{channel_name}.state", state_layout(dreamer).text, size)


def test_states_arrive_and_commands_take_effect(dreamer, make_link, poll):
    link = make_link()
    link.activate()
    servo = Servo(dreamer, link)
    elbow = dreamer.command_names.index("left_elbow")
    servo.command.effort[elbow] = 5.0
    poll(lambda: servo.cycle() and servo.state.effort[elbow + 1] == 5.0)
    poll(lambda: servo.cycle() and servo.state.position[elbow + 1] > 0.1)
    sequence, stamp = servo.state.sequence, servo.state.stamp
    poll(servo.cycle)
    assert servo.state.sequence > sequence
    assert stamp < servo.state.stamp <= time.monotonic()


def test_deactivate_ends_the_simulator_and_removes_the_channels(
    make_link, watcher, channel_name, poll
):
    link = make_link()
    link.activate()
    assert watcher.attach()
    link.deactivate()
    link.deactivate()
    assert link.pid is None
    assert not watcher.attach()
    assert not watcher.path.exists()
    link.activate()
    assert watcher.attach()


def test_a_simulator_that_does_not_end_in_time_leaves_nothing(
    make_link, watcher, channel_name, monkeypatch
):
    monkeypatch.setattr(simulator_process, "STOP_PATIENCE", 0.1)
    link = make_link()
    link.activate()
    os.kill(link.pid, signal.SIGSTOP)
    link.deactivate()
    assert not watcher.path.exists()


def test_killed_simulator_is_started_again(dreamer, make_link, poll):
    link = make_link()
    link.activate()
    servo = Servo(dreamer, link)
    poll(lambda: servo.cycle() and servo.state.sequence > 50)
    first = kill_simulator(servo, poll)
    poll(lambda: servo.cycle() and servo.state.sequence > 50)
    assert link.pid not in (None, first)


def test_simulator_started_by_hand_is_used_and_may_be_replaced(
    dreamer, make_link, start_by_hand, watcher, poll
):
    process = start_by_hand()
    poll(watcher.attach)
    link = make_link(respawn=False)
    link.activate()
    assert link.pid is None
    servo = Servo(dreamer, link)
    poll(lambda: servo.cycle() and servo.state.sequence > 50)
    process.kill()
    process.communicate()
    poll(lambda: not servo.cycle())
    silent = servo.measurements
    for _ in range(50):
        servo.cycle()
        time.sleep(0.001)
    assert servo.measurements - silent <= 1
    start_by_hand()
    poll(servo.cycle)
    link.deactivate()
    assert watcher.attach()  # not ours to end


def test_simulator_serves_one_servo_after_another(dreamer, make_link, start_by_hand, poll):
    start_by_hand()
    elbow = dreamer.joint_names.index("left_elbow")
    for effort in (1.0, 2.0):
        link = make_link()
        poll(lambda link=link: link._link.tend())
        link.activate()
        servo = Servo(dreamer, link)
        servo.command.effort[elbow - 1] = effort
        poll(lambda s=servo, e=effort: s.cycle() and s.state.effort[elbow] == e)
        link.deactivate()


def test_drives_fall_back_when_the_servo_falls_silent(dreamer, make_link, poll):
    link = make_link()
    link.activate()
    servo = Servo(dreamer, link)
    servo.command.effort[2] = 3.0
    poll(lambda: servo.cycle() and servo.state.effort[3] == 3.0)
    poll(lambda: link.read(servo.state) and servo.state.effort[3] == 0.0)


def test_two_simulators_do_not_share_a_channel(start_by_hand, watcher, poll):
    start_by_hand()
    poll(watcher.attach)
    second = start_by_hand()
    output, _ = second.communicate(timeout=GENEROUS)
    assert second.returncode == 1
    assert "belongs to process" in output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_simulator_cleanly(start_by_hand, watcher, poll, number):
    process = start_by_hand()
    poll(watcher.attach)
    process.send_signal(number)
    output, _ = process.communicate(timeout=GENEROUS)
    assert process.returncode == 0
    assert output == ""
    assert not watcher.path.exists()


def test_simulator_without_description_explains_itself(tmp_path):
    path = tmp_path / "empty.json"
    path.write_text(json.dumps({}))
    result = subprocess.run(
        [sys.executable, "-m", "controlit_ros.nodes.simulator", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "expected JSON" in result.stderr
    assert "Traceback" not in result.stderr


def test_simulator_that_cannot_start_is_an_error(make_link, capfd):
    link = make_link(timestep=-1.0)
    with pytest.raises(RobotInterfaceError, match="exit code 1"):
        link.activate()
    assert "timestep" in capfd.readouterr().err


def test_simulator_of_another_robot_is_an_error(cart, make_link, start_by_hand, channel_name):
    link = make_link()
    link.activate()
    other = make_link(setup=cart)
    other._channel = channel_name
    with pytest.raises(RobotInterfaceError, match="belongs to process"):
        other.activate()


PARENT = """
import sys, time
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.robots.simulator_process import SimulatorProcess
import os
description = SimulatorDescription.from_json(sys.stdin.readline())._replace(parent=os.getpid())
link = SimulatorProcess(description, description.options["channel"], respawn=True)
link.activate()
print("active", flush=True)
time.sleep(1000)
"""


def test_simulator_ends_with_its_parent(dreamer, channel_name, watcher, poll):
    description = SimulatorDescription(dreamer, {"channel": channel_name})
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    parent.stdin.write(description.to_json() + "\n")
    parent.stdin.flush()
    assert parent.stdout.readline() == "active\n"
    assert watcher.attach()
    parent.kill()
    parent.communicate()
    poll(lambda: not watcher.attach())


class SlowStart:
    """Processes that begin only when the test lets them."""

    def __init__(self, monkeypatch):
        self.begun, self.allowed = threading.Event(), threading.Event()
        self.is_under_way = False
        self._start = subprocess.Popen
        monkeypatch.setattr(subprocess, "Popen", self)

    def __call__(self, *arguments, **settings):
        self.is_under_way = True
        self.begun.set()
        assert self.allowed.wait(GENEROUS)
        self.is_under_way = False
        return self._start(*arguments, **settings)


def test_the_servo_never_waits_for_a_simulator_that_comes_and_goes(
    dreamer, make_link, poll, monkeypatch
):
    monkeypatch.setattr(simulator_process, "FIRST_PAUSE", 0.05)
    link = make_link()
    link.activate()
    servo = Servo(dreamer, link)
    start = SlowStart(monkeypatch)
    for _ in range(2):
        poll(servo.cycle)
        start.begun.clear()
        start.allowed.clear()
        kill_simulator(servo, poll)
        poll(start.begun.is_set)
        for _ in range(100):
            assert not servo.cycle()
        assert start.is_under_way
        start.allowed.set()
        poll(servo.cycle)


def test_robot_interface_in_its_own_process(dreamer, channel_name, poll):
    robot = MuJoCo(dreamer)
    robot.parameter("channel").set(channel_name)
    robot.parameter("initial_position").set({"left_elbow": 0.5})
    robot.parameter("real_time_factor").set(0.5)
    robot.configure()
    robot.activate()
    try:
        state = RobotState(dreamer.joint_names)
        poll(lambda: robot.read(state))
        expected = np.zeros(16)
        expected[dreamer.joint_names.index("left_elbow")] = 0.5
        np.testing.assert_array_equal(state.position, expected)
        command = Command(dreamer.command_names)
        poll(lambda: robot.write(command) or (robot.read(state) and np.abs(state.velocity).any()))
    finally:
        robot.deactivate()


def test_leftover_command_channel_of_a_killed_servo_is_replaced(
    dreamer, channel_name, make_link, poll
):
    code = (
        "import sys; from controlit_ros.robots.channel import ChannelWriter;"
        "ChannelWriter(sys.argv[1], 'old', 3); print('up', flush=True); sys.stdin.read()"
    )
    servo = subprocess.Popen(
        [sys.executable, "-c", code, f"{channel_name}.command"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert servo.stdout.readline() == "up\n"
    servo.kill()
    servo.communicate()
    link = make_link()
    link.activate()
    alive = Servo(dreamer, link)
    alive.command.effort[2] = 1.0
    poll(lambda: alive.cycle() and alive.state.effort[3] == 1.0)
