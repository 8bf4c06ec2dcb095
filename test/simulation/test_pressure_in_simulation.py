"""Goals of pressure outside of the sole do not make a humanoid fall."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.tasks.center_of_pressure import REACHED

STAND = REPOSITORY / "config" / "talos" / "stand.yaml"
FLOOR = str(STAND.parent / "floor.xml")

pytestmark = [pytest.mark.simulation, needs_example_robots]


def talos(*, has_size):
    def edit(data):
        data["simulator"]["scene"] = FLOOR
        for constraint in data["constraints"]:
            if not has_size:
                del constraint["half_size"]

    run = SimulatedHands(STAND, edit, {"soft_start_time": 0.0})
    run.advance(200)
    run.tasks["RightPressure"].goal.set([0.0, 30.0])
    return run


def test_it_stands_with_the_pressure_at_the_edge():
    run = talos(has_size=True)
    start = run.coordinator.robot_state.base_position.copy()
    run.advance(2500)
    np.testing.assert_allclose(run.coordinator.robot_state.base_position, start, atol=1e-4)
    pressure = run.tasks["RightPressure"].active.actual
    assert pressure[1] == pytest.approx(REACHED * 0.065, abs=1e-4)
    complaints = [text for text in run.complaints() if "RightPressure.goal_position" in text]
    assert complaints
    assert "found y = 30, expected within ±0.0617 [m]" in complaints[0]
    assert "95% of the half_size of 'RightSole'" in complaints[0]


def test_it_tips_where_nobody_knows_the_size():
    run = talos(has_size=False)
    start = run.coordinator.robot_state.base_position.copy()
    run.stack.clock.advance(1500)
    assert np.abs(run.coordinator.robot_state.base_position - start).max() > 0.02
    assert run.coordinator.state is CoordinatorState.SAFE


def pull_feet_together(force, *, has_limits):
    def edit(data):
        data["simulator"]["scene"] = FLOOR

    run = SimulatedHands(STAND, edit, {"soft_start_time": 0.0})
    controller = run.stack.controller
    if not has_limits:
        nothing = np.full_like(controller.limits.effort, np.inf)
        controller.limits = controller.limits._replace(effort=nothing)
    run.advance(200)
    run.tasks["Tension"].goal.set([force, 0.0, 0.0, 0.0])
    run.stack.clock.advance(400)
    return run


@pytest.mark.parametrize("force", [300.0, -3000.0])
def test_a_force_beyond_the_joints_between_the_feet_moves_nothing(force):
    run = pull_feet_together(force, has_limits=True)
    for name in ("CenterOfMass", "RightHandPosition"):
        assert run.tasks[name].error_norm.value < 2e-4, name
    assert run.tasks["Pelvis"].error_norm.value < 1e-3
    assert 0.0 < run.stack.controller.force_share.value < 0.9
    complaints = run.complaints()
    assert any(
        "the forces of RightPressure, LeftPressure, Tension need more than the joints have" in text
        and "the effort limit of 'leg_" in text
        for text in complaints
    )
    assert not [text for text in complaints if text.startswith("effort limit of leg")]


def test_cut_off_joint_by_joint_it_makes_the_robot_lean():
    run = pull_feet_together(-3000.0, has_limits=False)
    assert run.tasks["Pelvis"].error_norm.value > 2e-3


@pytest.mark.parametrize("friction", [0.7, 0.01])
def test_soles_tell_when_they_would_slip(friction):
    """Talos shifts its weight by 3 cm: with 0.7 it stands, 0.01 would not hold its feet."""

    def edit(data):
        data["simulator"]["scene"] = FLOOR
        for constraint in data["constraints"]:
            constraint["friction"] = friction

    run = SimulatedHands(STAND, edit, {"soft_start_time": 0.0})
    run.advance(200)
    task = run.tasks["CenterOfMass"]
    task.goal.set(task.actual.value + np.array([0.0, 0.03, 0.0]))
    run.advance(1000)
    told = [text for text in run.complaints() if "it would slip" in text]
    assert bool(told) == (friction < 0.1)
    for text in told:
        assert "need a friction of" in text
        assert "found friction: 0.01" in text
    named = {name for name in ("RightSole", "LeftSole") if any(f"'{name}'" in t for t in told)}
    assert named == ({"RightSole", "LeftSole"} if told else set())
