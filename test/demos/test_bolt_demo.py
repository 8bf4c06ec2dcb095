"""The demonstration `bolt`: a short one."""

import json

import numpy as np
import pytest
from rich.console import Console
from robots_for_tests import needs_example_robots

from controlit_demos.bolt import demo
from controlit_demos.bolt.demo import DRIFTED, GAVE_WAY, ON_POINTS, STEPPED, WENT, BoltDemo
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.walking.walking_demo import ESTIMATED_HEIGHT, HEIGHT, TILT

pytestmark = [pytest.mark.simulation, needs_example_robots]


def test_it_steps_is_pushed_and_walks(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "IN_PLACE", 2.0)
    monkeypatch.setattr(demo, "RECOVERY", 1.5)
    monkeypatch.setattr(demo, "WALK", 2.0)
    options = DemoOptions(folder=tmp_path, quiet=True, seed=1)
    BoltDemo(options, Console(quiet=True)).run()
    report = json.loads((tmp_path / "report.json").read_text())
    figures = report["figures"]
    assert 3 <= figures[STEPPED.name] <= 8
    assert figures[DRIFTED.name] < 40.0
    assert figures[GAVE_WAY.name] > GAVE_WAY.least
    assert figures[WENT.name] > 0.05
    assert figures[HEIGHT.name] > HEIGHT.least
    assert figures[TILT.name] < ON_POINTS[TILT].most
    assert figures[ESTIMATED_HEIGHT.name] < ON_POINTS[ESTIMATED_HEIGHT].most
    assert {"report.md", "gait.png", "steps.png"} <= {file.name for file in tmp_path.iterdir()}
    with np.load(tmp_path / "data.npz") as data:
        weight = data["forces"].sum(axis=1)
        assert np.median(weight) == pytest.approx(9.81 * 1.25, rel=0.15)  # of the world, masses off


def test_one_that_does_not_step_is_told_to_have_fallen(monkeypatch, tmp_path):
    monkeypatch.setattr(BoltDemo, "settings", lambda _self: {"behaviours.Walk.adapts_steps": False})
    options = DemoOptions(folder=tmp_path, quiet=True, duration=6.0)
    assert BoltDemo(options, Console(quiet=True)).run() == 1
    (problem,) = json.loads((tmp_path / "report.json").read_text())["problems"]
    assert "fell" in problem
