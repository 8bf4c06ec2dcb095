"""A package of a third party adds a task, a constraint and a robot interface by itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from patience import GENEROUS

pytestmark = [pytest.mark.processes, pytest.mark.commands]

PACKAGE = Path(__file__).parents[2] / "examples" / "table_plugin"
TYPES = {"tasks": "Height", "constraints": "SlidingContact", "robot_interfaces": "FreeDynamics"}
RUN = """
import json, sys
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

stack = load_stack(sys.argv[1], {"servo_clock_type": "Simulated", "single_threaded_model": True,
                                 "single_threaded_tasks": True})
tasks = {task.name: task for task in stack.tasks.tasks}
with ServoNode(stack, LocalTransport("servo", "/table", domain="table_plugin")) as node:
    heights = []
    for _ in range(25):
        stack.clock.advance(100)
        heights.append(float(tasks["Hand"].actual.value[2]))
    print(json.dumps({
        "state": node.state.value,
        "elbow": float(tasks["ElbowHeight"].actual.value[0]),
        "hand": tasks["Hand"].actual.value.tolist(),
        "heights": heights,
    }))
"""


@pytest.fixture
def environment(installed):
    return installed(PACKAGE.name)


def test_plugins_are_listed(environment, python):
    listed = python(environment, "-m", "controlit_ros.cli.main", "plugins", "list", "--json")
    found = {(entry["kind"], entry["name"]): entry for entry in json.loads(listed)}
    for kind_and_name in TYPES.items():
        assert found[kind_and_name]["package"] == PACKAGE.name
        assert found[kind_and_name]["error"] is None


def test_configuration_is_valid(environment, python):
    python(environment, "-m", "controlit_ros.cli.main", "check", str(PACKAGE / "table.yaml"))


def test_arm_slides_on_the_table(environment, python):
    result = json.loads(
        python(environment, "-c", RUN, str(PACKAGE / "table.yaml")).splitlines()[-1]
    )
    assert result["state"] == "active"
    assert result["elbow"] == pytest.approx(0.6, abs=2e-3)
    assert result["hand"][:2] == pytest.approx([0.5, 0.15], abs=5e-3)
    assert result["heights"] == pytest.approx([0.36] * 25, abs=2e-3)


def test_without_it_the_nearest_name_is_told():
    result = subprocess.run(
        [sys.executable, "-m", "controlit_ros.cli.main", "check", str(PACKAGE / "table.yaml")],
        capture_output=True, text=True, timeout=GENEROUS, check=False,
    )  # fmt: skip
    assert result.returncode != 0
    for name in TYPES.values():
        assert f"found '{name}', expected" in result.stdout + result.stderr


def test_task_takes_no_more_than_25_lines():
    lines = (PACKAGE / "table_plugin" / "height.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 25
