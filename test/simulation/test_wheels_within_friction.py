"""Trikey drives as fast as the friction of its omni wheels allows, and no faster."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

pytestmark = pytest.mark.simulation

TRIKEY = REPOSITORY / "config" / "trikey"
FRICTION, MARGIN = 0.3, 0.05


def drive(friction):
    """Drive to a place 1 m away; return the largest friction used, and what is left of the way."""

    def edit(data):
        data["simulator"]["scene"] = str(TRIKEY / "floor.xml")
        data["parameters"]["whole_body_controller_type"] = "WholeBodyQP"
        for wheel in data["constraints"]:
            wheel["friction"] = friction

    run = SimulatedHands(TRIKEY / "drive.yaml", edit, {"soft_start_time": 0.0})
    run.advance(300)
    position = run.tasks["Position"]
    position.goal.assign(position.active.actual + np.array([1.0, 0.5, 0.0]))
    used = 0.0
    for _ in range(800):
        run.advance(5)
        model = run.coordinator.model_updater.active
        wrenches = run.coordinator.robot_state.contact_wrench
        for wheel, wrench in zip(model.constraints.contacts, wrenches, strict=True):
            along, free, normal = wheel.axes(model.robot_model).T @ wrench[:3]
            assert abs(free) < 1e-6
            used = max(used, abs(along) / normal)
    assert run.complaints() == []
    return used, position.error_norm.value


def test_no_wheel_is_asked_for_more_than_it_bears():
    used, left = drive(FRICTION)
    assert used == pytest.approx((1.0 - MARGIN) * FRICTION, rel=1e-6)
    assert left < 0.01


def test_where_friction_is_plenty_more_is_used():
    """Or the test above would show nothing."""
    used, left = drive(5.0)
    assert used > 1.2 * FRICTION
    assert left < 0.01
