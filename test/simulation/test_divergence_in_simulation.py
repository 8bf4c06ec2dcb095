"""A loop that is not stable leads Dreamer to the safe state, and a stable one never."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
STIFF = {"tasks.Posture.kp": 2500, "tasks.Posture.kd": 100}


def started(settings):
    """Return a run whose right hand has just got a goal 11 cm away."""
    run = SimulatedHands(HANDS, None, settings)
    run.stack.clock.advance(1100)
    task = run.tasks["RightHandPosition"]
    task.goal.set(task.active.actual + np.array([0.05, 0.0, 0.1]))
    return run


def run_for(run, seconds):
    """Return the state in every tenth cycle."""
    states = []
    for _ in range(round(seconds * 100)):
        run.stack.clock.advance(10)
        states.append(run.coordinator.state)
    return states


@pytest.mark.parametrize(("delay", "gains"), [(0.03, {}), (0.01, STIFF)])
def test_gains_that_the_delay_does_not_bear(delay, gains):
    run = started({"simulator.communication_delay": delay, **gains})
    states = run_for(run, 4.0)
    assert states[0] is CoordinatorState.ACTIVE
    first = states.index(CoordinatorState.SAFE)
    rest = states[first : first + 190]
    assert set(rest) == {CoordinatorState.SAFE}
    (text, *_) = [text for text in run.complaints() if "diverges" in text]
    assert "expected lower gains or less delay" in text
    assert any(joint in text for joint in run.stack.robot.command_joints)


def test_warn_leaves_control_active():
    run = started({"simulator.communication_delay": 0.03, "on_divergence": "warn"})
    states = run_for(run, 3.0)
    assert CoordinatorState.SAFE not in states
    assert any("diverges" in text for text in run.complaints())


def test_drives_that_would_shake_are_damped_less_and_told_by_joint():
    run = started({"whole_body_controller_type": "WBOSCImpedance"})
    run_for(run, 1.5)
    complaints = run.complaints()
    told = [text for text in complaints if text.startswith("damping of the drives of")]
    assert any("wrist" in text and "found 10, limit" in text for text in told)
    assert not any("chatter" in text for text in complaints)
    calm = {"whole_body_controller_type": "WBOSCImpedance", "whole_body_controller.damping": 2.0}
    run = started(calm)
    run_for(run, 1.5)
    complaints = run.complaints()
    assert not any("chatter" in text or "drives" in text for text in complaints)
