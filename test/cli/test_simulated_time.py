"""A servo in the simulated time of another process, over DDS."""

import json
import os
import signal

import pytest
from console_processes import poll

pytestmark = pytest.mark.processes

pytest.importorskip("cyclonedds", reason="the transport dds needs the wheel cyclonedds")

CHANNEL = f"robot_interface.channel=simulated_time.{os.getpid()}"
CLOCK = "robot_interface.publish_clock=true"
SIMULATOR = ("--transport", "dds", "--set", CHANNEL, "--set", CLOCK)
ECHO = ("--transport", "dds", "--json")
SERVO = (
    *SIMULATOR,
    *("--set", "servo_clock_type=RosTime", "--set", "servo_clock.use_sim_time=true"),
)


def clock_times(shell, count=20):
    out, _ = shell.run("topic", "echo", "/clock", *ECHO, "--count", str(count))
    clocks = [json.loads(line)["clock"] for line in out.splitlines()]
    return [clock["sec"] + 1e-9 * clock["nanosec"] for clock in clocks]


def test_the_servo_lives_in_the_time_of_its_simulator(shell, controllers, tmp_path):
    summary = tmp_path / "summary.json"
    servo = shell.start("run", controllers / "hand.yaml", *SERVO, "--summary", summary)
    servo.wait_for_log("-> active")
    times = clock_times(shell)
    assert times == sorted(times)
    assert all(round(time / 0.004, 3).is_integer() for time in times)  # the servo's period
    state = json.loads(shell.run("topic", "echo", "joint_states", *ECHO, "--count", "1")[0])
    assert times[-1] <= state["header"]["stamp"]["sec"] + 1 < times[-1] + 120.0
    code, _ = servo.end(signal.SIGINT)
    assert code == 0
    assert json.loads(summary.read_text())["cycles"] > 50


def test_time_that_stops_and_begins_again(shell, controllers):
    simulator = shell.start("simulate", controllers / "hand.yaml", *SIMULATOR)
    simulator.wait_for_log("simulating")
    stopped = "robot_interface.respawn=false"
    servo = shell.start("run", controllers / "hand.yaml", *SERVO, "--set", stopped)
    line = servo.wait_for_log("-> active")
    assert simulator.end(signal.SIGINT)[0] == 0
    line = servo.wait_for_log("time stands still", after=line)
    # time begins at zero again
    simulator = shell.start("simulate", controllers / "hand.yaml", *SIMULATOR)
    servo.wait_for_log("control is active", after=line)
    poll(lambda: clock_times(shell)[-1] > 0.5)
    code, _ = servo.end(signal.SIGTERM)
    assert code == 0
    assert simulator.end(signal.SIGTERM)[0] == 0


def test_a_servo_without_any_clock_can_be_ended(shell, controllers):
    servo = shell.start("run", controllers / "still.yaml", *SERVO[:2], *SERVO[6:])
    servo.wait_for_log("time stands still")
    code, _ = servo.end(signal.SIGINT)
    assert code == 0
