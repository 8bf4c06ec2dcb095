"""Goals that jump, with something that leads to them and without."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.paths.jerk_limited import REQUIREMENT

pytestmark = pytest.mark.simulation

pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
HAND = "RightHandPosition"
FAR = np.array([0.2, 0.05, 0.1])  # [m]
SPEED, ACCELERATION, JERK = 0.08, 0.4, 4.0  # joints of Dreamer are slow


def lead(data):
    for task in data["tasks"]:
        if task["name"] == HAND:
            task.update(reference="time_optimal", max_goal_velocity=SPEED, max_goal_jerk=JERK)
            task.pop("max_velocity", None)


def reach(edit, cycles=4000):
    """Send one far goal; return the run, the hand's way and the largest change of an effort."""
    run = SimulatedHands(HANDS, edit)
    run.advance(1200)
    task = run.tasks[HAND]
    task.goal.set(task.actual.value + FAR)
    way, jump, effort = [], 0.0, run.coordinator.command.effort.copy()
    for _ in range(cycles):
        run.advance(1)
        way.append(task.actual.value.copy())
        jump = max(jump, np.abs(run.coordinator.command.effort - effort).max())
        effort = run.coordinator.command.effort.copy()
    return run, np.array(way), jump


def test_a_hand_goes_to_a_far_goal_without_a_jump():
    run, way, jump = reach(lead)
    task = run.tasks[HAND]
    assert task.error_norm.value < 0.005
    speed = np.linalg.norm(np.diff(way, axis=0), axis=1) * 1000.0
    assert speed.max() < SPEED * np.sqrt(3.0) * 1.05
    beside = np.cross(way - way[0], FAR / np.linalg.norm(FAR))
    assert np.abs(beside).max() < 0.01
    assert run.complaints() == []
    _, _, jump_without = reach(None, cycles=20)
    assert jump < 0.2 * jump_without


def test_a_goal_without_a_way_is_told(monkeypatch):
    run = SimulatedHands(HANDS, lead)
    run.advance(1200)
    task = run.tasks[HAND]
    monkeypatch.setattr(task.goal_reference._plan._parts, "generator", None)
    task.goal.set(task.actual.value + FAR)
    run.advance(200)
    assert any("RightHandPosition.goal_position: no way is found" in t for t in run.complaints())


def test_goals_at_ten_hertz_are_as_smooth_as_one():
    run = SimulatedHands(HANDS, lead)
    run.advance(1200)
    task = run.tasks[HAND]
    begin, accelerations = task.actual.value.copy(), []
    for k in range(1, 16):
        task.goal.set(begin + FAR * k / 15.0)
        for _ in range(100):
            run.advance(1)
            accelerations.append(task.parameter("intermediate_acceleration").value.copy())
    assert np.abs(np.diff(accelerations, axis=0)).max() <= JERK * 1e-3 * 1.001
    run.advance(3000)
    assert task.error_norm.value < 0.005
    assert run.complaints() == []
