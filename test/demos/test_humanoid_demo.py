"""Talos stands, is pushed, and lifts a foot, in simulated time."""

import json

import pytest

from controlit_demos.humanoid.demo import ON_ONE_FOOT, ON_TWO_FEET
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack
from controlit_ros.resource import ROBOTS_PACKAGE, ResourceError, resolve_resource
from controlit_ros.share import share_directory

pytestmark = pytest.mark.simulation

CONFIGURATION = share_directory() / "config" / "talos" / "stand.yaml"


@pytest.fixture(name="stack", scope="module")
def make_stack(tmp_path_factory):
    try:
        resolve_resource(f"package://{ROBOTS_PACKAGE}/x", tmp_path_factory.mktemp("x"))
    except ResourceError as error:
        pytest.skip(str(error))
    return load_stack(CONFIGURATION)


def test_it_is_a_whole_body(stack):
    enabled = [task for task in stack.tasks.tasks if not task.is_disabled]
    assert len(enabled) >= 15
    assert len(stack.robot.real_joints) >= 32


def test_every_switch_has_its_way_back(stack):
    assert set(ON_ONE_FOOT) == set(ON_TWO_FEET)
    for parameter, state in ON_TWO_FEET.items():
        assert stack.directory[parameter].value == state


@pytest.mark.release
def test_whole_demonstration(stack, tmp_path):
    assert stack is not None
    options = DemoOptions(simulated_time=True, folder=tmp_path, quiet=True)
    assert run_demo("humanoid", options) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["complete"] is True
    assert not report["problems"]


def test_a_robot_that_is_pushed_too_hard_is_reported_as_fallen(stack, tmp_path, monkeypatch):
    assert stack is not None
    harder = "controlit_demos.humanoid.demo.PUSH_TIME"
    monkeypatch.setattr(harder, 1.0)
    options = DemoOptions(simulated_time=True, folder=tmp_path, quiet=True)
    assert run_demo("humanoid", options) == 1
    problems = json.loads((tmp_path / "report.json").read_text())["problems"]
    assert any("it fell" in problem for problem in problems)
