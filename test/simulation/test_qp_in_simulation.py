"""Dreamer in MuJoCo, controlled by quadratic programs."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import SimulatedHands

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.warm_up import warm_up
from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands_qp.yaml"


def test_brings_both_hands_to_their_goals():
    run = SimulatedHands(HANDS)
    run.advance(1200)
    limit = run.stack.robot.effort_limits[run.stack.robot.command_indices]
    moved = [run.tasks[f"{side}HandPosition"] for side in ("Right", "Left")]
    for task in moved:
        task.goal.set(task.active.actual + np.array([0.06, 0.02, 0.05]))
    run.advance(1)
    assert min(task.error_norm.value for task in moved) > 0.05
    for _ in range(4000):
        run.advance(1)
        assert (np.abs(run.coordinator.command.effort) <= limit).all()
    assert max(task.error_norm.value for task in moved) < 0.003
    assert run.complaints() == []


def test_begins_although_the_limits_leave_out_the_posture_of_the_warm_up():
    stack = load_stack(HANDS, {"robot_interface.mode": "in_process"})
    limits = stack.controller.limits
    stack.controller.limits = limits._replace(
        lower=limits.lower - 40.0, upper=limits.upper - 40.0, velocity=np.inf * limits.velocity
    )
    assert warm_up(stack) > 0.0
    assert not any(task.active.valid for task in stack.tasks.tasks)


def test_goes_safe_when_the_limits_exclude_each_other_and_comes_back():
    run = SimulatedHands(HANDS)
    run.advance(1200)
    controller = run.stack.controller
    good, joint = controller.limits, run.stack.robot.command_joints.index("right_elbow")
    lower, upper, speed = good.lower.copy(), good.upper.copy(), good.velocity.copy()
    lower[joint], upper[joint], speed[joint] = -40.0, -30.0, np.inf
    controller.limits = good._replace(lower=lower, upper=upper, velocity=speed)
    run.stack.clock.advance(10)
    assert run.coordinator.state is CoordinatorState.SAFE
    assert np.isfinite(run.coordinator.command.effort).all()
    assert any("'right_elbow' cannot be kept" in text for text in run.complaints())
    controller.limits = good
    run.stack.clock.advance(1500)
    assert run.coordinator.state is CoordinatorState.ACTIVE
