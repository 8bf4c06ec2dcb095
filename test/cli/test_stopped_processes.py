"""Processes that are stopped and continued: the robot is held where it is found."""

import os
import signal

import numpy as np
import pytest
from console_processes import poll
from dds_isolation import domain_environment
from patience import GENEROUS
from test_run_command import is_active, is_alive, memory_of, servo_of, simulators_of

from controlit_ros.transport.dds import DdsSettings, DdsTransport

pytestmark = pytest.mark.processes

AT_REST = 0.05  # [rad/s]
SAGGED = 0.2  # [rad] by gravity, while the servo stands still; the goals before would undo it
HELD = 0.1  # [rad]
GENTLE = {"kp: 64": "kp: 16", "kd: 16": "kd: 8"}  # also where a busy machine delays commands
RECOVERY = 1.0  # [s] so long that the front cannot overlook it


class Robot:
    """The joints of a running controller, as it publishes them."""

    def __init__(self, transport, name):
        self.name = name
        self.samples = []
        transport.subscribe(
            f"/{name}/diagnostics/jointState", "sensor_msgs/msg/JointState", self.samples.append
        )

    def at_rest(self):
        """Wait for a measurement from now on that is at rest; return its positions [rad]."""
        self.samples.clear()

        def resting():
            return [s for s in list(self.samples) if np.abs(s.velocity).max() < AT_REST]

        return poll(resting)[0].position


@pytest.fixture
def running(shell, controllers, tmp_path):
    """A controller without a goal of its own: it holds the posture in which control begins."""
    text = (controllers / "hand.yaml").read_text()
    for old, new in {**GENTLE, "goal_position: *posture, ": ""}.items():
        text = text.replace(old, new)
    file = tmp_path / "hold.yaml"
    file.write_text(text)
    name = f"stopped_{os.getpid()}"
    started = shell.start(
        "run", file, "--transport", "dds", "--quiet", "--set", f"name={name}",
        "--set", f"recovery_time={RECOVERY}", "--set", "fallback_damping=0.1",
        "--set", "pause_limit=0.2",
    )  # fmt: skip
    started.wait_for_log("control is active")
    yield started, name
    assert started.end(signal.SIGTERM, GENEROUS)[0] == 0
    assert not any("Traceback" in line for line in started.err)


@pytest.fixture
def robot(running, shell):
    settings = DdsSettings.from_environment(domain_environment(shell.domain))
    with DdsTransport("watcher", settings=settings) as transport:
        yield Robot(transport, running[1])


def stop_simulator(run):
    """Stop the simulator until the servo is in its safe state; return once control is back."""
    (simulator,) = simulators_of(run.process)
    mark = len(run.err)
    poll(lambda: is_active(run))
    os.kill(simulator, signal.SIGSTOP)
    # told by two threads: either may be the first
    told = run.wait_for_log(f"process {simulator} lives but writes nothing", mark)
    mark = run.wait_for_log("state: active -> safe", mark)
    os.kill(simulator, signal.SIGCONT)
    run.wait_for_log("state: safe -> active", max(mark, told))
    assert simulators_of(run.process) == [simulator]  # it was waited for, not replaced


def test_the_robot_is_held_after_a_stop(running, robot):
    run, _ = running
    before = robot.at_rest()

    servo = servo_of(run.process)
    poll(lambda: is_active(run))
    mark = len(run.err)
    os.kill(servo, signal.SIGSTOP)
    for _ in range(2):  # a robot that sags needs processor time, too
        mark = run.wait_for_log("the servo has made no cycle for 2 s", mark)
    mark = len(run.err)
    os.kill(servo, signal.SIGCONT)
    run.wait_for_log("the servo stood still for ", mark)
    mark = run.wait_for_log(" -> safe", mark)
    run.wait_for_log("state: safe -> active", mark)
    sagged = robot.at_rest()
    assert np.abs(sagged - before).max() > SAGGED

    def is_held():
        """Return whether the robot stayed, or `None` if the machine held up its servo."""
        mark, found = len(run.err), robot.at_rest()
        stop_simulator(run)
        moved = np.abs(robot.at_rest() - found).max()
        told = "\n".join(run.err[mark:])
        stops = told.count("the servo stood still for "), told.count("state: active -> safe")
        return [bool(moved < HELD)] if stops == (0, 1) else None

    assert poll(is_held) == [True]


def test_a_run_ends_although_its_servo_is_stopped(shell, controllers):
    name = f"never_continued_{os.getpid()}"
    started = shell.start("run", controllers / "hand.yaml", "--set", f"name={name}")
    started.wait_for_log("control is active")
    (simulator,) = simulators_of(started.process)
    servo = servo_of(started.process)
    os.kill(servo, signal.SIGSTOP)
    assert started.end(signal.SIGINT, GENEROUS)[0] == 1
    # by whom the servo is waited for depends on how far the front was with the start
    assert any(" s and was killed" in line for line in started.err)
    assert not any("Traceback" in line for line in started.err)
    poll(lambda: not is_alive(servo) and not is_alive(simulator))
    poll(lambda: not memory_of(name))
