"""A package of a third party adds a behaviour by itself."""

import json
import math
from pathlib import Path

import pytest

pytestmark = [pytest.mark.processes, pytest.mark.commands]

PACKAGE = Path(__file__).parents[2] / "examples" / "behaviour_plugin"
RUN = """
import json, sys
from controlit_ros.scripting import SimulatedController

with SimulatedController(sys.argv[1]) as controller:
    hand, goals, actual = controller.task("Hand"), [], []
    for _ in range(200):
        controller.advance(0.02)
        goals.append(hand.goal.value.tolist())
        actual.append(hand.actual.value.tolist())
    print(json.dumps({"state": controller.state.value, "goals": goals, "actual": actual}))
"""


def test_it_is_listed_and_its_file_is_valid(installed, python):
    environment = installed(PACKAGE.name)
    listed = python(environment, "-m", "controlit_ros.cli.main", "plugins", "list", "--json")
    (found,) = [entry for entry in json.loads(listed) if entry["name"] == "Circling"]
    assert (found["kind"], found["package"]) == ("behaviours", PACKAGE.name)
    assert found["error"] is None
    python(environment, "-m", "controlit_ros.cli.main", "check", PACKAGE / "dreamer.yaml")


def test_the_hand_goes_around(installed, python):
    environment = installed(PACKAGE.name)
    told = python(environment, "-c", RUN, PACKAGE / "dreamer.yaml")
    found = json.loads(told.splitlines()[-1])
    assert found["state"] == "active"
    goals, actual = found["goals"], found["actual"]
    _, y, z = zip(*goals, strict=True)
    assert max(y) - min(y) == pytest.approx(0.06, abs=1e-3)  # [m] twice the radius
    assert max(z) - min(z) == pytest.approx(0.06, abs=1e-3)
    assert math.dist(goals[0], goals[-1]) < 4e-3  # once around
    assert max(map(math.dist, goals, actual)) < 0.02
