"""Scenarios that two controllers go through: who is judged, and what the report says."""

import io
import json
import math

import pytest
from rich.console import Console
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_demos.comparison.comparison_demo import ComparisonDemo
from controlit_demos.comparison.contender import file_of
from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack

CONFIG = REPOSITORY / "config"


class Wait(Scenario):
    """Waits, and finds whether levels are weighed."""

    title = "a wait"
    configuration_name = "dreamer/hands_qp.yaml"
    criteria = (Criterion("weighs levels", least=0.5),)

    def play(self, robot):
        """Wait."""
        assert robot.state == "active"
        robot.sleep(0.05)

    def findings(self):
        """Return whether the controller weighs its levels, as quadratic programs do."""
        return {
            "weighs levels": float("level_weight" in self.controller.stack.controller.parameters)
        }


class Never(Wait):
    """Expects what no controller has."""

    criteria = (Criterion("weighs levels", least=2.0),)


class Loses(Wait):
    """Asks for a motion although control has ended."""

    def play(self, robot):
        """End control and go on."""
        robot.deactivate()
        robot.sleep(0.05)
        robot.task("RightHandPosition").move_to([0.3, -0.3, 1.0], duration=1.0)


class Waiting(ComparisonDemo):
    """One scenario."""

    name = "waiting"
    title = "Waiting"
    configuration_name = Wait.configuration_name
    scenarios = (Wait,)


def run(folder, scenario=Wait, **options):
    """Run a scenario; return the exit code, the report and what was printed."""
    text = io.StringIO()
    demo = Waiting(DemoOptions(folder=folder, **options), Console(file=text, width=200))
    demo.scenarios = (scenario,)
    code = demo.run()
    file = folder / "report.json"
    return code, json.loads(file.read_text()) if file.exists() else None, text.getvalue()


@pytest.mark.simulation
def test_only_the_first_is_judged(tmp_path):
    code, report, text = run(tmp_path)
    assert code == 0
    assert report["scenarios"][0]["figures"] == {
        "WholeBodyQP": {"weighs levels": 1.0},
        "WBOSC": {"weighs levels": 0.0},
    }
    assert text.rstrip().endswith("PASSED")
    page = (tmp_path / "report.md").read_text()
    assert "| weighs levels | at least 0.5 | 1 | 0 ✗ |" in page
    assert page.rstrip().endswith("PASSED")


@pytest.mark.simulation
def test_what_is_not_met_fails(tmp_path):
    code, report, text = run(tmp_path, Never)
    assert code == 1
    assert report["verdict"] == "FAILED"
    assert report["problems"] == ["a wait: weighs levels: 1, at least 2"]
    assert text.rstrip().endswith("FAILED")


@pytest.mark.simulation
def test_a_run_that_ends_early_is_told(tmp_path):
    code, report, _ = run(tmp_path, Loses)
    assert code == 1
    ends = report["scenarios"][0]["ends"]
    assert all("cannot be moved" in end for end in ends.values())
    assert any("cannot be moved" in problem for problem in report["problems"])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"duration": 1.0}, "--duration"),
        ({"runs": 2}, "--runs"),
        ({"transport": "dds"}, "--transport"),
        ({"interface": "UDP"}, "--interface"),
    ],
)
def test_options_without_a_meaning_are_refused(tmp_path, options, named):
    code, report, text = run(tmp_path, **options)
    assert code == 1
    assert report is None
    assert f"found {named}, expected none of them" in text


@needs_example_robots
@pytest.mark.parametrize("name", ["panda/obstacle.yaml", "baxter/arms.yaml"])
def test_wbosc_gets_the_same_file_without_what_it_does_not_know(tmp_path, name):
    judged = load_stack(file_of("WholeBodyQP", CONFIG / name, tmp_path))
    beside = load_stack(file_of("WBOSC", CONFIG / name, tmp_path))
    assert type(beside.controller).__name__ == "WBOSC"
    assert [t.name for t in beside.tasks.tasks] == [t.name for t in judged.tasks.tasks]
    assert judged.controller.inequalities
    assert not beside.controller.inequalities
    assert not beside.warnings


@pytest.mark.parametrize(
    ("criterion", "value", "expected"),
    [
        (Criterion("a", least=1.0), 1.0, True),
        (Criterion("a", least=1.0), 0.9, False),
        (Criterion("a", most=1.0), 1.1, False),
        (Criterion("a", least=0.0, most=1.0), 0.5, True),
        (Criterion("a"), 7.0, True),
        (Criterion("a"), math.nan, True),
        (Criterion("a", most=1.0), math.nan, False),
    ],
)
def test_bounds(criterion, value, expected):
    assert criterion.is_met(value) is expected
