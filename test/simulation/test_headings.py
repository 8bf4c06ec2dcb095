"""Headings and orientations of simulated robots arrive from all angles up to half a turn."""

import math

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.model import quaternion
from controlit_ros.starters.first_configuration import first_configuration

pytestmark = pytest.mark.simulation

TRIKEY = REPOSITORY / "config" / "trikey"
UR5 = "package://example-robot-data/robots/ur_description/urdf/ur5_robot.urdf"
ANGLES = [30.0, 90.0, 150.0, 170.0, 179.0, 179.9, 179.999, 180 - 1e-9, 180.0, -179.999, -90.0]
"""[deg]"""


def trikey(**overrides):
    def edit(data):
        data["simulator"]["scene"] = str(TRIKEY / "floor.xml")

    run = SimulatedHands(TRIKEY / "drive.yaml", edit, {"soft_start_time": 0.0, **overrides})
    run.advance(100)
    return run


def errors(run, task, cycles):
    """Let time pass; return the task's error from 20 cycles to 20 cycles [rad]."""
    found = []
    for _ in range(cycles // 20):
        run.advance(20)
        found.append(run.tasks[task].error_norm.value)
    return found


@pytest.mark.parametrize("degrees", ANGLES)
def test_trikey_turns_to_any_heading(degrees):
    run, angle = trikey(), math.radians(degrees)
    run.tasks["Heading"].goal.set([math.cos(angle), math.sin(angle), 0.0])
    found = errors(run, "Heading", 4000)
    assert found[0] == pytest.approx(abs(angle), abs=0.05)
    assert found[-1] < 0.005
    assert max(np.diff(found)) < 0.01
    assert run.complaints() == []


def test_trikey_turns_under_a_quadratic_program():
    run = trikey(whole_body_controller_type="WholeBodyQP")
    run.tasks["Heading"].goal.set([-1.0, 0.0, 0.0])
    assert errors(run, "Heading", 4000)[-1] < 0.005


def test_trikey_turns_along_a_reference():
    def edit(data):
        data["simulator"]["scene"] = str(TRIKEY / "floor.xml")
        data["tasks"][1]["reference"] = "time_optimal"

    run = SimulatedHands(TRIKEY / "drive.yaml", edit, {"soft_start_time": 0.0})
    run.advance(100)
    run.tasks["Heading"].goal.set([-1.0, 0.0, 0.0])
    found = errors(run, "Heading", 13000)  # limits are shared by the axes: 0.29 rad/s
    assert found[-1] < 0.005
    assert run.complaints() == []


@needs_example_robots
@pytest.mark.parametrize("degrees", [90.0, 170.0, 179.9, 180.0])
def test_the_hand_of_an_arm_turns_about_its_last_joint(degrees, tmp_path):
    """That joint may turn by two turns, so that either half turn is possible."""
    path = tmp_path / "ur5.yaml"
    path.write_text(first_configuration(UR5, "ur5", tmp_path))
    run = SimulatedHands(path)
    run.advance(300)
    task = run.tasks["HandOrientation"]
    now = task.active.actual.copy()
    axis = quaternion.rotate(now, np.array([1.0, 0.0, 0.0]))
    half = math.radians(degrees) / 2.0
    turn = np.append(math.sin(half) * axis, math.cos(half))
    task.goal.set(quaternion.multiply(turn, now))
    found = errors(run, "HandOrientation", 6000)
    assert found[0] > 0.9 * math.radians(degrees)
    assert found[-1] < 0.01
