"""Talos in modes: it stands through each of them, moving and pushed; none lets an effort jump."""

import numpy as np
import pytest
from patience import wait_for_servos
from robots_for_tests import REPOSITORY

from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

FILE = REPOSITORY / "config" / "talos" / "modes.yaml"
PUSH = 50.0  # [N] for a tenth of a second, on a robot of 93 kg
STEP = 0.002  # [s] a cycle at the frequency below
ALLOWED = 25.0  # [N m] that efforts of at most 300 may change in a cycle; a fall leaps by hundreds


@pytest.fixture
def talos(monkeypatch):
    wait_for_servos(monkeypatch)
    with SimulatedController(FILE, {"servo_frequency": 500}) as controller:
        yield controller


def ask(talos, mode):
    return talos.call("control/setMode", "controlit/srv/SetMode", mode=mode, wait=True)


def stand(talos, seconds):
    """Let time pass; return the largest change of an effort from cycle to cycle [N m]."""
    coordinator, largest = talos.node.coordinator, 0.0
    before = coordinator.command.effort.copy()
    for _ in range(round(seconds / STEP)):
        talos.advance(STEP)
        effort = coordinator.command.effort
        largest = max(largest, float(np.abs(effort - before).max()))
        before = effort.copy()
    assert coordinator.state is CoordinatorState.ACTIVE
    assert talos.stack.directory["modes.tilt"].value < 0.1
    assert talos.stack.directory["modes.base_height"].value > 0.95
    return largest


@pytest.mark.parametrize("stop", ["soft_stop", "freeze"])
def test_it_stands_through_its_modes_and_stops_from_each_pushed(talos, stop):
    mode = talos.stack.directory["modes.mode"]
    for name in ("stand", "stand_manipulate"):
        assert ask(talos, name).success
        talos.stack.robot_interface.simulation.push("torso_2_link", [0.0, PUSH, 0.0], 0.1)
        answer = ask(talos, stop)
        assert answer.success, answer.message
        assert mode.value == stop
        assert stand(talos, 0.6) < ALLOWED
        assert ask(talos, "stand_prep").success
        assert stand(talos, 0.2) < ALLOWED
    assert ask(talos, "stand_manipulate").success  # by way of standing


def test_the_hands_are_for_the_mode_that_names_them(talos):
    refused = ask(talos, "walk")
    assert not refused.success
    assert "stand_manipulate" in refused.message or "stand" in refused.message
    assert ask(talos, "freeze").success
    refused = ask(talos, "stand_manipulate")
    assert not refused.success
    assert "freeze" in refused.message
