"""The demonstration `walk`: what it measures, and a short walk."""

import json

import numpy as np
import pytest
from rich.console import Console
from robots_for_tests import needs_example_robots
from simulated_hands import DETERMINISTIC

from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.walk import demo
from controlit_demos.walk.demo import SPEED, TURNED, WENT, WENT_ASIDE, WalkDemo
from controlit_demos.walking.gait_observer import WIDTHS, Gait
from controlit_demos.walking.gait_pictures import footprints
from controlit_demos.walking.unlikeness import FRICTION, MASSES, RATE_BIAS, Unlikeness
from controlit_demos.walking.walking_demo import (
    ESTIMATE,
    ESTIMATED_HEIGHT,
    HEIGHT,
    TILT,
    common_figures,
    way,
)
from controlit_ros.nodes.building import load_stack

pytestmark = needs_example_robots
TIMES = np.linspace(0.0, 4.0, 401)


def gait(**columns):
    """Return one that stands at height 1 but for what is told."""
    values = {name: np.zeros((len(TIMES), width)) for name, width in WIDTHS.items()}
    values["base"][:, 2] = values["estimate"][:, 2] = 1.0
    for name, column in columns.items():
        values[name][:] = column
    return Gait(TIMES, *values.values())


def test_the_way_is_that_over_the_ground_not_the_swaying():
    base = np.column_stack([TIMES, 0.05 * np.sin(2 * np.pi * TIMES), np.ones_like(TIMES)])
    assert way(gait(base=base)) == pytest.approx(3.0, abs=0.01)  # of whole seconds


def test_errors_of_the_estimate_are_told_by_the_way():
    base = np.column_stack([TIMES, 0.0 * TIMES, np.ones_like(TIMES)])
    off = np.column_stack([0.01 * TIMES, 0.0 * TIMES, -0.002 * TIMES])
    figures = common_figures(gait(base=base, estimate=base + off))
    assert figures[ESTIMATE.name] == pytest.approx(100.0 * np.hypot(0.04, 0.008) / 3.0, rel=0.01)
    assert figures[ESTIMATED_HEIGHT.name] == pytest.approx(8.0)


def test_a_robot_that_sinks_is_seen():
    base = np.column_stack([0.0 * TIMES, 0.0 * TIMES, 1.0 - 0.05 * TIMES])
    assert common_figures(gait(base=base))[HEIGHT.name] == pytest.approx(80.0)


def test_footprints_are_where_a_foot_bore_for_a_while():
    pressure = np.full((len(TIMES), 4), np.nan)
    pressure[0:100, :2] = pressure[200:300, :2] = pressure[350:354, :2] = 0.0
    feet = np.zeros((len(TIMES), 8))
    feet[:, 0] = np.floor(TIMES)
    found = footprints(gait(pressure=pressure, feet=feet), 0)
    assert [place[0] for place in found] == [0.0, 2.0]
    assert footprints(gait(pressure=pressure), 1) == []


def test_the_world_is_not_as_the_controller_thinks():
    stack = load_stack(WalkDemo(DemoOptions()).configuration, DETERMINISTIC)
    simulation = stack.robot_interface.simulation
    before = simulation.model.body_mass.copy()
    start = simulation.data.qpos.copy()
    unlike = Unlikeness.drawn(7)
    unlike.apply(simulation)
    factors = simulation.model.body_mass[before > 0] / before[before > 0]
    assert np.abs(factors - 1.0).max() <= MASSES
    assert np.ptp(factors) > MASSES
    assert FRICTION[0] <= unlike.friction <= FRICTION[1]
    assert 0.0 < np.abs(unlike.bias[:3]).max() <= RATE_BIAS
    np.testing.assert_array_equal(simulation.data.qpos, start)
    again = Unlikeness.drawn(7)
    np.testing.assert_array_equal(again.bias, unlike.bias)
    assert Unlikeness.drawn(8).friction != unlike.friction


@pytest.mark.simulation
def test_a_short_walk_is_judged(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "WAY", 0.5)
    monkeypatch.setattr(demo, "ASIDE", 0.1)
    monkeypatch.setattr(demo, "TURN", 0.25)
    monkeypatch.setattr(WalkDemo, "settings", lambda _self: {"servo_frequency": 500})
    options = DemoOptions(folder=tmp_path, quiet=True, seed=3)
    assert WalkDemo(options, Console(quiet=True)).run() == 1
    report = json.loads((tmp_path / "report.json").read_text())
    figures = report["figures"]
    assert 0.2 < figures[WENT.name] < 1.2
    assert 0.02 < figures[WENT_ASIDE.name] < 0.4
    assert 5.0 < figures[TURNED.name] < 60.0
    assert figures[HEIGHT.name] > HEIGHT.least
    assert figures[TILT.name] < TILT.most  # gravity alone, of a biased unit, began beyond it
    assert figures[ESTIMATED_HEIGHT.name] < ESTIMATED_HEIGHT.most
    missed = {problem.partition(" [")[0] for problem in report["problems"]}
    # it went less far than it should, and is told so; all else is well
    assert {WENT.name, WENT_ASIDE.name, TURNED.name} <= missed
    short = {WENT.name, WENT_ASIDE.name, TURNED.name, SPEED.name}
    assert missed <= short | {ESTIMATE.name}
    assert {"report.md", "report.html", "data.npz", "gait.png", "steps.png"} <= {
        file.name for file in tmp_path.iterdir()
    }
