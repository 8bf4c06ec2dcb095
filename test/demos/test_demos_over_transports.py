"""Demonstrations over each transport: between processes, and within one in simulated time."""

import json
import math
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from free_domain import domain_environment, free_domain
from patience import GENEROUS

from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions

pytestmark = pytest.mark.processes

DURATION = 3.0  # [s] of motion
SLACK = (
    5.0  # times the bound: a machine that is busy may be late, one that hears nothing is far off
)

TASKS = {
    "hands": ("RightHandPosition", "LeftHandPosition", "RightHandOrientation"),
    "trikey": ("Position", "Heading"),
}
TRAVEL = 0.05  # [m] of the first task within the duration

WAYS = {"dds": ("--transport", "dds"), "local": ("--transport", "local", "--fast")}


def check_report(output, report, folder):
    """Check what a run in real time tells that was ended early."""
    assert "this run beside the paper" in output
    assert "2.79 ± 0.56" in output
    assert not report["complete"]
    assert report["every_cycle"]
    assert report["cycles"] > 500
    # the bounds are for a machine that let servo and client run all the time
    told = (folder / "report.md").read_text(encoding="utf-8")
    late = float(re.search(r"rounds, at most ([\d.]+) ms late", told)[1])
    if not report["problems"] and report["frequency"]["lowest"] > 10.0 and late < 100.0:
        assert report["errors"]["RightHandPosition"]["mean"] < 2.79
        assert report["errors"]["LeftHandPosition"]["mean"] < 1.91
    assert (folder / "positions.png").stat().st_size > 10_000


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("demo", TASKS)
def test_follows_its_goals(demo, way, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ROS_")}
    environment |= domain_environment(free_domain())
    done = subprocess.run(
        [sys.executable, "-m", "controlit_ros.cli.main", "demo", demo, *WAYS[way],
         "--duration", f"{DURATION:g}", "--report", str(tmp_path)],
        capture_output=True, text=True, env=environment, timeout=GENEROUS, check=False,
    )  # fmt: skip
    report = json.loads((tmp_path / "report.json").read_text())
    assert (done.returncode == 0) == (report["problems"] == []), done.stdout + done.stderr
    assert report["duration"] == pytest.approx(DURATION)
    if (demo, way) == ("hands", "dds"):
        check_report(done.stdout, report, tmp_path)
    for task in TASKS[demo]:
        error = report["errors"][task]
        assert math.isfinite(error["mean"])
        assert error["mean"] < SLACK * error["bound"]
    actual = np.load(tmp_path / "data.npz")[f"{TASKS[demo][0]}/actual"]
    assert np.ptp(actual, axis=0).max() > TRAVEL
    if way == "local":  # no machine is too busy for simulated time
        assert done.returncode == 0


@pytest.mark.parametrize("demo", TASKS)
def test_a_transport_that_joins_no_processes_is_refused(demo, tmp_path, capsys):
    options = DemoOptions(transport="local", folder=tmp_path, quiet=True)
    assert run_demo(demo, options) != 0
    assert "'local', expected one that joins processes" in " ".join(capsys.readouterr().out.split())
