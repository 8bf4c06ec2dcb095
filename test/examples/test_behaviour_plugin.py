"""A package of a third party adds a behaviour and an inequality by itself."""

import json
import math
from pathlib import Path

import pytest

pytestmark = [pytest.mark.processes, pytest.mark.commands]

PACKAGE = Path(__file__).parents[2] / "examples" / "behaviour_plugin"
TYPES = {"behaviours": "Circling", "inequalities": "SlowJoints"}
RUN = """
import json, sys
from controlit_ros.scripting import SimulatedController

with SimulatedController(sys.argv[1], json.loads(sys.argv[2])) as controller:
    goals, actual, fastest = [], [], 0.0
    for _ in range(400):
        controller.advance(0.01)
        goals.append(controller.task("Hand").goal.value.tolist())
        actual.append(controller.task("Hand").actual.value.tolist())
        fastest = max(fastest, *map(abs, controller.velocity.values()))
    print(json.dumps({"state": controller.state.value, "goals": goals, "actual": actual,
                      "fastest": fastest}))
"""


@pytest.fixture
def run(installed, python):
    """Run the package's file for one turn, with some of its values replaced."""
    environment = installed(PACKAGE.name)

    def run(**values):
        told = python(environment, "-c", RUN, PACKAGE / "dreamer.yaml", json.dumps(values))
        return json.loads(told.splitlines()[-1])

    return run


def test_they_are_listed_and_the_file_is_valid(installed, python):
    environment = installed(PACKAGE.name)
    listed = python(environment, "-m", "controlit_ros.cli.main", "plugins", "list", "--json")
    found = {(entry["kind"], entry["name"]): entry for entry in json.loads(listed)}
    for kind_and_name in TYPES.items():
        assert found[kind_and_name]["package"] == PACKAGE.name
        assert found[kind_and_name]["error"] is None
    python(environment, "-m", "controlit_ros.cli.main", "check", PACKAGE / "dreamer.yaml")


def test_the_hand_goes_around(run):
    found = run()
    assert found["state"] == "active"
    goals, actual = found["goals"], found["actual"]
    _, y, z = zip(*goals, strict=True)
    assert max(y) - min(y) == pytest.approx(0.1, abs=1e-3)  # twice the radius
    assert max(z) - min(z) == pytest.approx(0.1, abs=1e-3)
    assert math.dist(goals[0], goals[-1]) < 2e-3  # once around
    assert max(map(math.dist, goals, actual)) < 0.01


def test_joints_are_slow_where_they_must_be(run):
    free, slow = run(**{"inequalities.Slow.most": 10.0}), run(**{"inequalities.Slow.most": 0.05})
    assert free["fastest"] > 0.1
    assert slow["fastest"] < 0.055
    assert slow["state"] == "active"
