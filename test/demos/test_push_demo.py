"""The demonstration `push`: what it calls survived."""

import json

import pytest
from rich.console import Console
from robots_for_tests import needs_example_robots

from controlit_demos.push import demo
from controlit_demos.push.demo import Cell, PushDemo
from controlit_demos.running.demo_options import DemoOptions

pytestmark = needs_example_robots


class Pushed:
    """In the place of a robot: survives what a test says."""

    mass = 50.0

    def __init__(self, _controller, cell):
        self.cell = cell

    def survives(self):
        return 16.0 if self.cell.direction == 0 else 12.0


@pytest.mark.parametrize(("directions", "code"), [((0,), 0), ((0, 90), 1)])
def test_every_place_must_bear_what_is_expected_of_the_mass(
    monkeypatch, tmp_path, directions, code
):
    monkeypatch.setattr(demo, "PushedRobot", Pushed)
    monkeypatch.setattr(PushDemo, "_controller", lambda _self: None)
    cells = [Cell(phase, direction) for phase in (None, 0.1) for direction in directions]
    monkeypatch.setattr(PushDemo, "cells", cells)
    options = DemoOptions(folder=tmp_path, quiet=True)
    assert PushDemo(options, Console(quiet=True)).run() == code  # 15 N s
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["map"]) == len(cells)
    text = (tmp_path / "report.md").read_text()
    assert "| standing | 16 |" in text.replace("12 |", "").replace("  ", " ")
    assert ("10 %, 90°: 12 N s, at least 15.0" in text) == (code == 1)


@pytest.mark.simulation
def test_a_place_of_the_map_is_the_last_push_before_it_fell(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "FIRST", 10.0)
    monkeypatch.setattr(demo, "STEP", 190.0)  # the second one throws it
    monkeypatch.setattr(demo, "MOST", 200.0)
    monkeypatch.setattr(demo, "RECOVERY", 1.5)
    monkeypatch.setattr(PushDemo, "cells", [Cell(None, 0)])
    monkeypatch.setattr(
        PushDemo, "settings", lambda _self: {"servo_frequency": 500, "log_level": "ERROR"}
    )
    assert PushDemo(DemoOptions(folder=tmp_path, quiet=True), Console(quiet=True)).run() == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert [place["impulse"] for place in report["map"]] == [10.0]
    assert 80.0 < report["mass"] < 110.0
