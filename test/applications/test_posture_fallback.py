"""The safe state of a robot that must balance, in simulated time."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, example_robot
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

TALOS = REPOSITORY / "config" / "talos" / "stand.yaml"
SIDEWAYS = np.array([0.0, 0.06, 0.0])  # [m]


class Failure:
    """A controller that computes a command that is not finite, or raises, while it fails."""

    def __init__(self, run, kind):
        self._compute, self._kind = run.stack.controller.compute_command, kind
        self.is_failing = False
        run.stack.controller.compute_command = self

    def __call__(self, model, tasks, command):
        self._compute(model, tasks, command)
        if self.is_failing and self._kind == "raises":
            raise ValueError("on purpose")
        if self.is_failing:
            command.effort[0] = np.nan


def play(fallback, kind):
    """Let control fail for a second while the robot moves.

    Return how far from where it began it then is, how far from its goal in the end [m], and whether
    it is controlled again.
    """
    run = SimulatedHands(TALOS, None, {"fallback": fallback})
    failure = Failure(run, kind)
    run.advance(1)
    task = run.tasks["CenterOfMass"]
    start = task.active.actual.copy()
    task.goal.set(start + SIDEWAYS)
    run.advance(250)
    failure.is_failing = True
    run.stack.clock.advance(1000)
    assert run.coordinator.state is CoordinatorState.SAFE
    left = np.linalg.norm(run.actual("CenterOfMass") - start)
    failure.is_failing = False
    run.stack.clock.advance(2000)
    is_active = run.coordinator.state is CoordinatorState.ACTIVE
    return left, np.linalg.norm(run.actual("CenterOfMass") - start - SIDEWAYS), is_active


@pytest.mark.skipif(
    example_robot("talos_data/robots/talos_reduced.urdf") is None, reason="no example-robot-data"
)
@pytest.mark.parametrize("kind", ["raises", "not finite"])
def test_a_moving_humanoid_stands_through_a_failure(kind):
    moved, missing, is_active = play("posture", kind)
    assert moved < np.linalg.norm(SIDEWAYS)
    assert is_active
    assert missing < 5e-3
