"""iCub on a slippery floor leans no farther than it can stand, in simulated time; WBOSC falls."""

import json

import pytest
from robots_for_tests import needs_example_robots

from controlit_demos.comparison.feet_observer import SLIP
from controlit_demos.comparison.height_observer import HEIGHT
from controlit_demos.icub import balance_scenario
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions

pytestmark = [pytest.mark.simulation, needs_example_robots]


@pytest.mark.release
def test_the_program_stands_where_wbosc_falls(tmp_path, monkeypatch):
    """The same scenario with one squat and shift, and one push."""
    monkeypatch.setattr(balance_scenario, "SQUATS", 1)
    monkeypatch.setattr(balance_scenario, "SHIFTS", balance_scenario.SHIFTS[:1])
    monkeypatch.setattr(balance_scenario, "PUSHES", {"the left": (0.0, -40.0, 0.0)})
    assert run_demo("icub", DemoOptions(folder=tmp_path, quiet=True)) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["verdict"] == "PASSED"
    (scenario,) = report["scenarios"]
    stands, falls = (scenario["figures"][name] for name in ("WholeBodyQP", "WBOSC"))
    assert 85.0 < stands[HEIGHT] < 92.0  # it squatted
    assert falls[HEIGHT] < 50.0
    assert falls[SLIP] > 10.0
    assert (tmp_path / "scenario_1.png").stat().st_size > 0
