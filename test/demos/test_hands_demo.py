"""The demo end to end: servo, simulator and client in processes of their own, over DDS."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from children import children_of
from dds_isolation import domain_environment, go_to_free_domain
from patience import GENEROUS

from controlit_bench.free_domain import free_domain
from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.registry import UnknownDemoError, demonstrations, run_demo
from controlit_demos.running.demo import ADVICE
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.errors import ControlItError

pytestmark = pytest.mark.processes


@pytest.fixture
def demo(tmp_path):
    """Start `controlit demo` for some seconds of motion; ended afterwards whatever happens."""
    started = []

    def start(*arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ROS_")}
        environment |= domain_environment(free_domain())
        process = subprocess.Popen(
            [sys.executable, "-m", "controlit_ros.cli.main", "demo", "--transport", "dds",
             "--report", str(tmp_path / "report"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()


def servo_of(process):
    """Return the process id of the servo a demo has started, once there is one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + GENEROUS
    while time.monotonic() < deadline:
        for child in map(int, children.read_text().split()):
            if b"run" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                return child
        time.sleep(0.05)
    raise AssertionError("the demo has started no servo")


def wait_for(process, text):
    """Read the demo's output until a line with a text comes."""
    for line in process.stdout:
        if text in line:
            return
    raise AssertionError(f"the demo ended without {text!r}")


def test_says_so_when_the_servo_dies(demo):
    process = demo()
    wait_for(process, HANDS_WAYPOINTS[0].name)
    os.kill(servo_of(process), signal.SIGKILL)
    output, _ = process.communicate(timeout=GENEROUS)
    assert process.returncode == 1
    assert "the servo process ended with SIGKILL" in output
    assert "Traceback" not in output


def test_ends_in_order_when_interrupted(demo, tmp_path):
    process = demo()
    wait_for(process, HANDS_WAYPOINTS[0].name)
    servo = servo_of(process)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=GENEROUS)
    assert process.returncode == 130
    assert "Traceback" not in output
    assert not Path(f"/proc/{servo}").exists()
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert report["duration"] > 0.5
    assert not report["complete"]
    assert report["idle_frequency"] is None


def loop_of(process):
    """Return the process in which the servo's cycles run."""
    return children_of(servo_of(process))["controlit-servo"]


def simulator_of(process):
    """Return the simulator's process."""
    (simulator,) = children_of(loop_of(process)).values()
    return simulator


@pytest.mark.parametrize(
    ("starved", "told"),
    [(loop_of, "the servo ran at "), (simulator_of, "the simulation ran at ")],
)
def test_a_failure_of_a_starved_process_names_the_machine(demo, tmp_path, starved, told):
    process = demo("--duration", "5")
    wait_for(process, HANDS_WAYPOINTS[0].name)
    pid = starved(process)
    for _ in range(8):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.1)
    output, _ = process.communicate(timeout=GENEROUS)
    assert process.returncode == 1, output
    last = output.strip().splitlines()[-1]
    assert last.startswith("FAILED — the machine was busy: "), output
    assert told in last
    assert last.endswith(ADVICE)
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert report["verdict"] == "FAILED"
    assert all(lost in last for lost in report["lost_time"])
    assert report["idle_frequency"]["mean"] > 0.0


def test_a_wrong_duration_is_refused(capsys, tmp_path):
    assert run_demo("hands", DemoOptions(duration=0.0, folder=tmp_path)) == 1
    assert "duration" in capsys.readouterr().out


def test_an_unknown_demo_is_refused():
    assert "hands" in demonstrations()
    with pytest.raises(UnknownDemoError, match="hands"):
        run_demo("hand")


def test_two_runs_in_simulated_time_are_the_same(tmp_path):
    for name in ("one", "two"):
        options = DemoOptions(duration=1.0, folder=tmp_path / name, simulated_time=True)
        assert run_demo("hands", options) == 0
    one, two = (np.load(tmp_path / name / "data.npz") for name in ("one", "two"))
    for quantity in ("RightHandPosition/actual", "RightHandPosition/goal", "effort/value"):
        assert len(one[quantity]) > 50
        # the last bits depend on where arrays lie in memory, as vector units sum in another order;
        # one cycle more or less would be seen at 1e-3
        np.testing.assert_allclose(one[quantity], two[quantity], rtol=0.0, atol=1e-6)


def test_several_runs_are_told_together(tmp_path, capsys):
    options = DemoOptions(duration=0.1, folder=tmp_path, simulated_time=True, runs=2, seed=5)
    assert run_demo("hands", options) == 0
    assert "2 of 2 runs succeeded" in capsys.readouterr().out
    runs = json.loads((tmp_path / "runs.json").read_text())
    assert [(run["seed"], run["success"]) for run in runs] == [(5, True), (6, True)]
    assert (tmp_path / "seed-6" / "report.md").is_file()


def test_simulated_time_stays_in_the_process(tmp_path, capsys):
    options = DemoOptions(folder=tmp_path, simulated_time=True, transport="dds")
    assert run_demo("hands", options) == 1
    assert "expected 'local'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (ControlItError("no process"), 0)]
)
def test_a_run_is_reported_whatever_becomes_of_the_servo_without_work(
    error, code, tmp_path, monkeypatch
):
    def fail(*_arguments):
        raise error

    # the domain that goes by the process may be open here, as another test has opened it
    go_to_free_domain(monkeypatch)
    monkeypatch.setattr("controlit_demos.running.demo.measure_idle_loop", fail)
    assert run_demo("hands", DemoOptions(duration=2.0, quiet=True, folder=tmp_path)) == code
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["idle_frequency"] is None
    assert report["frequency"]["mean"] > 0.0
