"""Dreamer over delays, at its start and in the safe state."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
CALM = 0.02  # [rad/s]


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.015])
def test_control_begins_calmly_over_delays(delay):
    """The damping of the soft start once made light joints swing from 3 ms each way on."""
    run = SimulatedHands(HANDS, None, {"simulator.communication_delay": delay})
    goals = {name: run.actual(name) for name in run.tasks if name.endswith("Position")}
    fastest = 0.0
    for _ in range(130):
        run.advance(10)
        fastest = max(fastest, np.abs(run.velocity).max())
    assert fastest < CALM
    for name, goal in goals.items():
        assert np.linalg.norm(run.actual(name) - goal) < 1e-3
