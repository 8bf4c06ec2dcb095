"""Talos lifts a foot and puts it down: contacts come and go by way of what they may bear."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState
from controlit_ros.tasks import DISABLE, ENABLE

TALOS = REPOSITORY / "config" / "talos"
OVER_LEFT = np.array([0.0, 0.08, 0.0])  # [m] of the centre of mass
LIFT = np.array([0.0, 0.0, 0.05])  # [m] of the right foot
PRESSED = np.array([0.0, 0.0, 0.002])  # [m] so that the sole lies on the ground
RAMPED, SUDDEN = 4.0, 20.0  # [N m] change of an effort from one cycle to the next

pytestmark = [pytest.mark.simulation, needs_example_robots]


class Stand:
    """Talos on two feet, with tasks that hold its right one."""

    def __init__(self, file="stand_qp.yaml", *, controller="WholeBodyQP", **parameters):
        def edit(data):
            data["simulator"]["scene"] = str(TALOS / "floor.xml")
            data["parameters"]["whole_body_controller_type"] = controller
            if controller != "WholeBodyQP":
                del data["whole_body_controller"]
            for name, kind in (("Foot", "CartesianPosition"), ("Turn", "Orientation3D")):
                task = {"name": name, "type": kind, "body": "right_sole_link", "kp": 100, "kd": 20}
                data["tasks"].append(task)
                data["compound_task"].append({"name": name, "priority": 2})

        self.run = SimulatedHands(TALOS / file, edit, {"soft_start_time": 0.0, **parameters})
        self.run.advance(300)
        contacts = self.run.coordinator.model_updater.active.constraints.contacts
        self.foot = next(contact for contact in contacts if contact.name == "RightSole")
        self.number = contacts.index(self.foot)
        self.trail = []

    @property
    def effort(self):
        return self.run.coordinator.command.effort.copy()

    @property
    def expected(self):
        """What the foot bears under the last command, square to the ground."""
        return self.run.coordinator.robot_state.contact_wrench[self.number, 2]

    def switch(self, state):
        self.run.mailbox.post({self.foot.operational_state: state})

    def watch(self, cycles):
        """Let time pass; return the largest change of an effort from one cycle to the next."""
        largest = 0.0
        for _ in range(cycles):
            before = self.effort
            self.trail.append(
                (self.foot.state, self.foot.is_enabled, self.expected, self.foot.wrench.value[2])
            )
            self.run.advance(1)
            largest = max(largest, np.abs(self.effort - before).max())
        return largest

    def lead(self, task, by, cycles):
        """Lead the goal of a task elsewhere; return as `watch`."""
        goal = self.run.tasks[task].goal
        start = goal.value.copy()
        largest = 0.0
        for cycle in range(cycles):
            goal.assign(start + by * (cycle + 1) / cycles)
            largest = max(largest, self.watch(1))
        return largest


@pytest.mark.parametrize("file", ["stand_qp.yaml", "stand_strict.yaml"])
def test_a_foot_leaves_once_it_bears_nothing_and_comes_back_from_nothing(file):
    stand = Stand(file)
    stand.lead("CenterOfMass", OVER_LEFT, 1500)
    stand.watch(500)
    borne = stand.expected
    assert borne > 50.0
    stand.trail.clear()
    stand.switch(DISABLE)
    assert stand.watch(600) < RAMPED
    states = [state for state, *_ in stand.trail]
    assert states[2] == "leaving"
    assert states[-1] == DISABLE
    there = [entry for entry in stand.trail if entry[1]]
    assert 250 < len(there) < 350  # cycles of `contact_ramp_time`
    for cycle, (_, _, expected, _) in enumerate(there[2:]):
        assert expected <= borne * (1.0 - cycle / 300.0) + 2.0
    _, _, expected, sensed = there[-1]
    assert expected < 2.0
    assert sensed < 10.0
    stand.lead("Foot", LIFT, 1000)
    assert stand.run.actual("Foot")[2] > 0.03
    stand.lead("Foot", -LIFT - PRESSED, 1000)
    stand.watch(300)
    stand.trail.clear()
    stand.switch(ENABLE)
    assert stand.watch(600) < RAMPED
    came = [expected for state, _, expected, _ in stand.trail if state == "arriving"]
    assert 250 < len(came) < 350
    assert came[1] < 10.0
    assert stand.expected > 50.0
    assert stand.run.coordinator.state is CoordinatorState.ACTIVE


def test_without_ramps_the_effort_jumps():
    """Or the test above would show nothing."""
    stand = Stand(**{"whole_body_controller.contact_ramp_time": 0.0, "reconfiguration_time": 0.0})
    stand.lead("CenterOfMass", OVER_LEFT, 1500)
    stand.watch(500)
    stand.trail.clear()
    stand.switch(DISABLE)
    assert stand.watch(10) > SUDDEN
    assert {state for state, *_ in stand.trail[2:]} == {DISABLE}


def test_a_foot_that_is_needed_waits_and_says_so_until_it_is_not():
    stand = Stand()
    before = stand.expected
    stand.switch(DISABLE)
    assert stand.watch(500) < 0.1
    assert stand.foot.state == "waiting"
    assert stand.foot.operational_state.value == DISABLE
    assert stand.expected == pytest.approx(before, rel=0.01)
    told = [text for text in stand.run.complaints() if "shall leave, but waits" in text]
    assert told
    assert "RightSole" in told[0]
    stand.lead("CenterOfMass", OVER_LEFT, 1500)
    stand.watch(500)
    assert stand.foot.state == DISABLE
    assert not stand.foot.is_enabled
    assert stand.run.coordinator.robot_state.base_position[2] > 0.95


def test_it_stays_when_it_is_switched_on_again_before_it_has_left():
    stand = Stand()
    stand.lead("CenterOfMass", OVER_LEFT, 1500)
    stand.switch(DISABLE)
    stand.watch(150)
    assert stand.foot.state == "leaving"
    stand.switch(ENABLE)
    assert stand.watch(300) < RAMPED
    assert all(enabled for _, enabled, *_ in stand.trail)
    assert stand.foot.state == ENABLE


def test_projection_lets_it_go_at_once():
    """WBOSC bounds no force of a contact; its efforts ramp by equation 9."""
    stand = Stand(controller="WBOSC")
    stand.switch(DISABLE)
    stand.watch(3)
    assert stand.foot.state == DISABLE
    assert not stand.foot.is_enabled
