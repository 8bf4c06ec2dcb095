"""Pose, impedance, momentum and effort together in the simulator, under both families."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

FILE = REPOSITORY / "config" / "dreamer" / "kinds_of_tasks.yaml"
LAWS = {
    "WBOSC": {"whole_body_controller_type": "WBOSC", "whole_body_controller": {}},
    "Weighted": {},
    "Generalised": {"prioritisation_type": "Generalised"},
}


@pytest.mark.parametrize("law", LAWS)
def test_they_reach_their_goals_together(law):
    def edit(data):
        chosen = dict(LAWS[law])
        if "whole_body_controller" in chosen:
            del data["whole_body_controller"], chosen["whole_body_controller"]
        data["parameters"].update(chosen)

    run = SimulatedHands(FILE, edit)
    run.advance(800)
    for name, way in (("Soft", [0.05, 0.05, 0.05]), ("Hand", [0.03, 0.0, 0.05])):
        goal = run.tasks[name].actual.value.copy()
        goal[:3] += way
        run.tasks[name].goal.set(goal)
    run.advance(3000)
    for name in ("Soft", "Hand"):
        task = run.tasks[name]
        assert task.error_norm.value < 0.005, name
    assert run.tasks["Momentum"].error_norm.value < 0.01


@pytest.mark.parametrize("goal", [1e5, -1e5])
def test_goals_that_nobody_can_follow_ask_no_joint_for_more_than_it_has(goal):
    run = SimulatedHands(FILE)
    run.advance(500)
    run.tasks["Effort"].goal.set(goal)
    run.tasks["Momentum"].goal.set([goal] * 6)
    for name in ("Soft", "Hand"):
        far = run.tasks[name].actual.value.copy()
        far[:3] = goal
        run.tasks[name].goal.set(far)
    stack = run.stack
    limits = stack.guard.limits(stack.robot)
    for _ in range(60):
        stack.clock.advance(10)  # it may rest for a while, and never falls silent
        assert np.isfinite(run.coordinator.command.effort).all()
        assert (np.abs(run.coordinator.command.effort) <= limits.effort + 1e-9).all()
