"""`controlit run` and `controlit simulate` as processes: their end, and the end of others."""

import json
import os
import re
import signal
from pathlib import Path

import pytest
from console_processes import poll

PATIENCE = 8.0
"""Time to end: two seconds, and as much again for each other program on a busy machine [s]."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_signals_end_it_in_order(shell, controllers, number):
    running = shell.start("run", controllers / "still.yaml")
    running.wait_for_log("-> active")
    code, elapsed = running.end(number, PATIENCE)
    assert code == 0
    assert elapsed < PATIENCE
    table = "\n".join(running.out)
    assert re.search(r"servo frequency \d+\.\d ± \d+\.\d Hz", table)
    for phase in ("read", "update model", "compute command", "write", "total", "lateness"):
        assert re.search(rf"^{phase} +\d+ +\d+ +\d+ +\d+$", table, re.MULTILINE)
    assert not any("Traceback" in line for line in running.err)


def test_signal_while_it_starts(shell, controllers):
    running = shell.start(
        "run", controllers / "hand.yaml", "--set", "robot_interface.channel=early"
    )
    running.wait_for_log("transport dds")
    code, _ = running.end(signal.SIGINT, PATIENCE)
    assert code == 0
    assert not any("Traceback" in line for line in running.err)


def test_duration_summary_and_quiet(shell, controllers, tmp_path):
    path = tmp_path / "summary.json"
    out, err = shell.run(
        "run", controllers / "still.yaml", "--duration", 1.5, "--summary", path, "--quiet",
        "--set", "log_level=ERROR",
    )  # fmt: skip
    assert (out, err) == ("", "")
    summary = json.loads(path.read_text(), parse_constant=pytest.fail)
    assert set(summary) == {"cycles", "overruns", "frequency", "phases", "lateness"}
    assert summary["cycles"] > 50
    assert list(summary["phases"]) == [
        "read", "odometry", "update_model", "compute_command", "events", "write", "total"
    ]  # fmt: skip
    assert all(len(values) == 4 for values in summary["phases"].values())


def test_simulated_clock_needs_no_time(shell, controllers, tmp_path):
    path = tmp_path / "summary.json"
    shell.run(
        "run", controllers / "hand.yaml", "--duration", 3, "--summary", path,
        "--transport", "local",
        "--set", "servo_clock_type=Simulated", "--set", "robot_interface.mode=in_process",
    )  # fmt: skip
    assert json.loads(path.read_text())["cycles"] == 750


def test_log_fields(shell, controllers):
    _, err = shell.run(
        "run", controllers / "still.yaml", "--duration", 0.1,
        "--set", "log_fields=[package, file, line, function, pid]",
    )  # fmt: skip
    assert re.search(
        r"^\d\d:\d\d:\d\d\.\d{3} INFO  \[\d+\] controlit\.run run_command\.py:\d+ command\(\) "
        r"cli_still runs at 250 Hz",
        err,
        re.MULTILINE,
    )
    assert re.search(r"WARN .*'Idle' is declared but not listed", err)


def test_what_cannot_start(shell, controllers, tmp_path):
    _, err = shell.run("run", tmp_path / "none.yaml", code=1)
    assert err == f"{tmp_path}/none.yaml:1:1: there is no such file\n"
    unwritable = tmp_path / "none" / "summary.json"
    _, err = shell.run("run", controllers / "still.yaml", "--summary", unwritable, code=1)
    assert err == f"{unwritable} cannot be written: No such file or directory\n"
    _, err = shell.run("simulate", controllers / "still.yaml", code=1)
    assert "expected MuJoCo" in err


def simulator_of(process):
    """Return the one child of a servo."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    threads = Path(f"/proc/{process.pid}/task").iterdir()
    found = {child for thread in threads for child in (thread / "children").read_text().split()}
    assert set(children) <= found
    return [int(child) for child in found]


def test_killed_simulator_and_killed_clients(shell, servo):
    """The servo goes to its safe state while the robot is silent, and recovers."""
    errors = shell.start("topic", "echo", "diagnostics/errors", "--json")
    goals = shell.start(
        "topic", "pub", "RightHandPosition/goal_velocity", "[0, 0, 0]", "--rate", 50
    )
    poll(lambda: goals.out)
    state = shell.start("topic", "echo", "diagnostics/jointState", "--json")
    poll(lambda: state.out)

    # a busy machine may silence the simulator; the servo must not care for the clients
    cycles = []
    for client in (goals, state):
        client.process.kill()
        client.process.wait()
        out, _ = shell.run("topic", "hz", "Posture/error_norm", "--count", 1, "--json")
        cycles.append(json.loads(out)["rate"])
    assert min(cycles) > 50.0
    assert servo.process.poll() is None

    mark = len(servo.err)
    (simulator,) = simulator_of(servo.process)
    os.kill(simulator, signal.SIGKILL)
    mark = servo.wait_for_log("state: active -> safe", mark)
    servo.wait_for_log("state: safe -> active", mark)
    poll(lambda: any("no state from the robot" in value["data"] for value in errors.values))
    (successor,) = simulator_of(servo.process)
    assert successor != simulator
    assert servo.process.poll() is None


def test_simulator_by_hand_outlives_servos(shell, controllers):
    channel = f"robot_interface.channel=by_hand.{os.getpid()}"
    file = controllers / "hand.yaml"
    simulator = shell.start("simulate", file, "--set", channel)
    simulator.wait_for_log("simulating cli_test on channel by_hand")
    poll(lambda: list(Path("/dev/shm").glob(f"controlit.*by_hand.{os.getpid()}.state")))
    for _ in range(2):
        running = shell.start("run", file, "--set", channel, "--set", "name=cli_other", "--quiet")
        running.wait_for_log("control is active")
        assert simulator_of(running.process) == []
        assert running.end(signal.SIGTERM, PATIENCE)[0] == 0
    assert simulator.process.poll() is None
    assert simulator.end(signal.SIGINT, PATIENCE)[0] == 0
