"""Levels that change their order while the robot moves, without the ramp of eq. 9."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

FILE = REPOSITORY / "config" / "dreamer" / "hands_generalised.yaml"
LEFT, RIGHT = "LeftHandPosition", "RightHandPosition"
APART = {LEFT: [0.15, 0.1, 0.0], RIGHT: [-0.1, -0.15, 0.05]}  # [m]


def largest_step(prioritisation):
    """Return by how much the efforts move at most in a cycle while the hands change places."""

    def edit(data):
        data["parameters"].update(reconfiguration_time=0, prioritisation_type=prioritisation)
        for key in ("priority_pairs", "pair_priorities"):  # the order of levels counts
            del data["whole_body_controller"][key]

    run = SimulatedHands(FILE, edit)
    run.advance(600)
    for name, way in APART.items():
        run.tasks[name].goal.set(run.tasks[name].actual.value + way)
    run.advance(200)
    run.tasks[LEFT].priority.set(2)
    run.tasks[RIGHT].priority.set(3)
    efforts = [run.coordinator.command.effort.copy()]
    for _ in range(600):
        run.advance(1)  # the servo stays active
        efforts.append(run.coordinator.command.effort.copy())
    return np.abs(np.diff(efforts, axis=0)).max()


def test_hands_change_places_while_they_move():
    smooth, at_once = (largest_step(kind) for kind in ("Generalised", "Hierarchical"))
    assert smooth < 0.3 * at_once


def test_both_hands_arrive_while_the_part_by_which_one_stands_above_changes():
    run = SimulatedHands(FILE)
    run.advance(600)
    for name, way in APART.items():
        run.tasks[name].goal.set(run.tasks[name].actual.value + way)
    for part in (0.7, 0.0, 0.5):
        run.mailbox.post({run.stack.controller.pair_priorities: (part,)})
        run.advance(1500)
    assert max(run.tasks[name].error_norm.value for name in APART) < 1e-3
