"""Demonstrations over each transport: between processes, and within one in simulated time."""

import json
import math

import numpy as np
import pytest
from run_in_time import patient, run_in_time

from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions

pytestmark = pytest.mark.processes

DURATION = 3.0  # [s] of motion
SLACK = 5.0  # times the bound: cycles may be late, a robot that hears nothing is far off

TASKS = {
    "hands": ("RightHandPosition", "LeftHandPosition", "RightHandOrientation"),
    "trikey": ("Position", "Heading"),
}
TRAVEL = 0.05  # [m] of the first task within the duration


def check_table(output, report, folder):
    """Check what a run in real time shows beside the paper that was ended early."""
    assert "this run beside the paper" in output
    assert "2.79 ± 0.56" in output
    assert not report["complete"]
    assert report["every_cycle"]
    assert report["cycles"] > 500
    assert (folder / "positions.png").stat().st_size > 10_000


def check_tasks(demo, report, folder):
    for task in TASKS[demo]:
        error = report["errors"][task]
        assert math.isfinite(error["mean"])
        assert error["mean"] < SLACK * error["bound"]
    actual = np.load(folder / "data.npz")[f"{TASKS[demo][0]}/actual"]
    assert np.ptp(actual, axis=0).max() > TRAVEL


@pytest.mark.parametrize("demo", TASKS)
def test_follows_its_goals_between_processes(demo, tmp_path):
    report, output = run_in_time(demo, DURATION, tmp_path, configuration=patient(demo, tmp_path))
    assert report["duration"] == pytest.approx(DURATION)
    check_tasks(demo, report, tmp_path)
    if demo == "hands":
        check_table(output, report, tmp_path)
        assert report["errors"]["RightHandPosition"]["mean"] < 2.79
        assert report["errors"]["LeftHandPosition"]["mean"] < 1.91


@pytest.mark.parametrize("demo", TASKS)
def test_follows_its_goals_in_simulated_time(demo, tmp_path):
    options = DemoOptions(
        duration=DURATION, folder=tmp_path, transport="local", simulated_time=True
    )
    assert run_demo(demo, options) == 0  # no machine is too busy for simulated time
    check_tasks(demo, json.loads((tmp_path / "report.json").read_text()), tmp_path)


@pytest.mark.parametrize("demo", TASKS)
def test_a_transport_that_joins_no_processes_is_refused(demo, tmp_path, capsys):
    options = DemoOptions(transport="local", folder=tmp_path, quiet=True)
    assert run_demo(demo, options) != 0
    assert "'local', expected one that joins processes" in " ".join(capsys.readouterr().out.split())
