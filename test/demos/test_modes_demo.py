"""The tour through modes: Talos walks, is pushed and stops, and is refused what may not follow."""

import json

import numpy as np
import pytest
from patience import wait_for_servos
from robots_for_tests import needs_example_robots

from controlit_demos.modes import demo, mode_tour
from controlit_demos.modes.mode_report import ON_BASE, problem_of
from controlit_demos.modes.mode_tour import PushedStop
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions

STANDS = PushedStop("walk", "freeze", "", 0.5, 1.0, 0.01, "freeze")


@pytest.mark.simulation
@needs_example_robots
def test_talos_stops_from_walking_pushed_and_nothing_forbidden_is_entered(tmp_path, monkeypatch):
    wait_for_servos(monkeypatch)
    monkeypatch.setattr(demo, "LOG", {"log_level": "ERROR", "servo_frequency": 500})
    monkeypatch.setattr(demo, "MOVING", ("walk_manipulate",))
    monkeypatch.setattr(mode_tour, "WATCHES", 1.5)
    code = run_demo("modes", DemoOptions(folder=tmp_path, quiet=True))
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["problems"] == []
    assert code == 0
    assert len(report["refusals"]) > 40
    assert all("no transition leads" in refusal["reason"] for refusal in report["refusals"])
    assert [stop["end"] for stop in report["stops"]] == ["soft_stop", "freeze"]
    joints, *led = report["hands"]
    assert joints["largest"] > 0.03  # what a plan for a base that rests is off by
    assert {hand["goal"] for hand in led} >= {ON_BASE}
    assert report["fall_noticed"]
    assert (tmp_path / "modes.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": "because"}, "freeze was not entered from walk: because"),
        ({"end": "fall"}, "ended in fall"),
        ({"lowest": 0.5}, "0.50 m"),
        ({"tilt": np.pi / 4}, "tilted by 45°"),
    ],
)
def test_stops_that_fail_are_told(change, told):
    assert problem_of(STANDS) == ""
    assert told in problem_of(STANDS._replace(**change))
