"""Talos presses a wall and its feet stay in place, in simulated time; with WBOSC they do not."""

import json

import pytest
from robots_for_tests import needs_example_robots

from controlit_demos.comparison.feet_observer import SLIP
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.wall import press_scenario
from controlit_demos.wall.force_observer import ERROR, FORCE

pytestmark = [pytest.mark.simulation, needs_example_robots]


@pytest.mark.release
def test_the_feet_stay_in_place_while_the_other_hand_jumps(tmp_path, monkeypatch):
    """The same scenario with one force."""
    monkeypatch.setattr(press_scenario, "FORCES", press_scenario.FORCES[-1:])
    assert run_demo("wall", DemoOptions(folder=tmp_path, quiet=True)) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["verdict"] == "PASSED"
    (scenario,) = report["scenarios"]
    stays, slips = (scenario["figures"][name] for name in ("WholeBodyQP", "WBOSC"))
    assert stays[FORCE] > press_scenario.FORCES[-1] - 1.0  # it pressed
    assert slips[ERROR] < 1.0  # both did
    assert slips[SLIP] > 5.0
    assert (tmp_path / "scenario_1.png").stat().st_size > 0
