"""A package of a third party adds a whole-body controller by itself, from public names alone."""

import ast
import importlib
import json
from pathlib import Path

import pytest

pytestmark = [pytest.mark.processes, pytest.mark.commands]

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKAGE = EXAMPLES / "controller_plugin"
DOORS = (
    "controlit_ros.client",
    "controlit_ros.plugins",
    "controlit_ros.scripting",
    "controlit_demos.plugins",
)
GOAL = [0.25, -0.30, 0.95]  # [m]
RUN = """
import json, sys
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.transport.local import LocalTransport

stack = load_stack(sys.argv[1], IN_SIMULATED_TIME)
hand = next(task for task in stack.tasks.tasks if task.name == "Hand")
with ServoNode(stack, LocalTransport("servo", "/it", domain="controller_plugin")) as node:
    stack.clock.advance(1100)
    start = hand.actual.value.tolist()
    node.mailbox.post({hand.goal: json.loads(sys.argv[2])})
    stack.clock.advance(6000)
    end = hand.actual.value.tolist()
    print(json.dumps({"state": node.state.value, "start": start, "hand": end}))
"""


def test_it_leads_the_hand_to_its_goal(installed, python):
    environment = installed("controller_plugin")
    told = python(environment, "-c", RUN, PACKAGE / "dreamer.yaml", json.dumps(GOAL))
    result = json.loads(told.splitlines()[-1])
    assert result["state"] == "active"
    assert result["start"] != pytest.approx(GOAL, abs=0.1)
    assert result["hand"] == pytest.approx(GOAL, abs=5e-3)


def test_its_file_is_valid_and_it_is_listed(installed, python):
    environment = installed("controller_plugin")
    python(environment, "-m", "controlit_ros.cli.main", "check", PACKAGE / "dreamer.yaml")
    listed = python(environment, "-m", "controlit_ros.cli.main", "plugins", "list", "--json")
    (found,) = [e for e in json.loads(listed) if e["name"] == "TransposeControl"]
    assert found["kind"] == "whole_body_controllers"
    assert found["error"] is None


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("controlit_"):
            yield node.module, [alias.name for alias in node.names]


def test_examples_import_public_names_only():
    files = [path for path in EXAMPLES.rglob("*.py") if "build" not in path.parts]
    found = [entry for path in files for entry in imports_of(path)]
    assert len(found) >= 4
    for module, names in found:
        assert module in DOORS
        assert set(names) <= set(importlib.import_module(module).__all__)


@pytest.mark.parametrize("module", DOORS)
def test_public_names_are_sorted_and_there(module):
    door = importlib.import_module(module)
    names = door.__all__
    assert sorted(names) == names
    for name in names:
        thing = getattr(door, name)
        assert getattr(importlib.import_module(thing.__module__), name) is thing
