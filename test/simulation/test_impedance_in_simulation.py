"""Dreamer in MuJoCo with impedance controllers in its joints."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"


def edit(data):
    data["whole_body_controller"] = {"stiffness": 80.0, "damping": 4.0}


def test_impedance_controlled_joints_bring_a_hand_to_its_goal():
    hands = SimulatedHands(HANDS, edit, {"whole_body_controller_type": "WBOSCImpedance"})
    hands.advance(1200)
    task, command = hands.tasks["RightHandPosition"], hands.coordinator.command
    task.goal.set(task.active.actual + np.array([0.04, 0.02, 0.04]))
    hands.advance(1)
    assert task.error_norm.value > 0.05
    simulation = hands.stack.robot_interface.simulation
    apart = 0.0
    for _ in range(200):
        hands.advance(1)
        apart = max(apart, np.abs(simulation.data.ctrl - command.effort).max())
    assert apart > 0.02  # the drives do not only follow the effort
    hands.advance(3000)
    assert task.error_norm.value < 0.003
    joints = hands.stack.robot.command_indices
    np.testing.assert_allclose(command.position, hands.position[joints], atol=0.01)
    np.testing.assert_array_equal(command.stiffness, 80.0)
    np.testing.assert_array_equal(command.damping, 4.0)
