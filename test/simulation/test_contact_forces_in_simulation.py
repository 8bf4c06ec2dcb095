"""Talos by quadratic programs: its soles are asked for what they bear, so it stays upright."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

TALOS = REPOSITORY / "config" / "talos"
QUADRATIC = TALOS / "stand_qp.yaml"
STRICT = TALOS / "stand_strict.yaml"
JUMPS = ([-0.08, 0.0, 0.0], [0.05, 0.0, 0.0], [0.0, 0.1, 0.0])  # [m]
SLIP = 1e-3  # [m]

pytestmark = [pytest.mark.simulation, needs_example_robots]


def talos(file, *, has_friction=True):
    def edit(data):
        data["simulator"]["scene"] = str(TALOS / "floor.xml")
        for constraint in data["constraints"]:
            if not has_friction:
                del constraint["friction"]

    run = SimulatedHands(file, edit, {"soft_start_time": 0.0})
    run.advance(300)
    return run


def jump(run, by):
    task = run.tasks["CenterOfMass"]
    task.goal.assign(task.active.actual + np.array(by))


@pytest.mark.parametrize("file", [QUADRATIC, STRICT], ids=lambda file: file.stem)
@pytest.mark.parametrize("by", JUMPS)
def test_it_stands_after_goals_that_jump_and_its_feet_stay_in_place(file, by):
    run = talos(file)
    model = run.coordinator.model_updater.active
    contacts, robot = model.constraints.contacts, run.stack.robot
    soles = [robot.frame_id(contact.body.value) for contact in contacts]
    start = [model.robot_model.placement(sole).translation.copy() for sole in soles]
    jump(run, by)
    for _ in range(3000):
        run.advance(1)
        wrench = run.coordinator.robot_state.contact_wrench
        for contact, bears in zip(contacts, wrench, strict=True):
            axes = contact.axes(run.coordinator.model_updater.active.robot_model)
            assert not contact.hold().complaint(bears[:3] @ axes, bears[3:] @ axes)
    assert run.coordinator.state is CoordinatorState.ACTIVE
    assert run.tasks["CenterOfMass"].error_norm.value < 0.01
    found = run.coordinator.model_updater.active.robot_model
    for sole, before in zip(soles, start, strict=True):
        assert np.abs(found.placement(sole).translation - before).max() < SLIP
    assert not [text for text in run.complaints() if "contact" in text]


@pytest.mark.parametrize(
    ("file", "has_friction"), [(QUADRATIC, False), (TALOS / "stand.yaml", True)]
)
def test_it_falls_where_nobody_looks_at_what_soles_bear(file, has_friction):
    """Or the tests above would show nothing."""
    run = talos(file, has_friction=has_friction)
    start = run.coordinator.robot_state.base_position.copy()
    jump(run, JUMPS[0])
    run.stack.clock.advance(3000)
    assert np.abs(run.coordinator.robot_state.base_position - start).max() > 0.1
