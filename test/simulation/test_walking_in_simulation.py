"""Talos walks: steps to a velocity, and stops with its feet side by side."""

import sys

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.kernels import constrain, effort_cost, task_motions
from controlit_ros.locomotion.footstep import Side
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.servo import CoordinatorState, NoticeLevel

WALK = REPOSITORY / "config" / "talos" / "walk.yaml"
VELOCITY = np.array([0.3, 0.0, 0.0])
FREQUENCY = 500  # [Hz] half of the file's, for half of the work
HALF_A_SWING = 0.3  # [s]
SLICE = 25  # [cycles] between two looks at the velocity
MOST_STEPS, MOST_TIME = 4, 9.0  # [steps], [s]

pytestmark = [pytest.mark.simulation, needs_example_robots]


class Walk:
    """A walk of some steps from rest."""

    def __init__(self, steps):
        self.run = SimulatedHands(WALK, None, {"servo_frequency": FREQUENCY, "soft_start_time": 0})
        (self.walking,) = self.run.stack.behaviours
        self.walking.velocity.change.set((0.3, 0.3, 0.3))
        self.contacts = {
            side: self.run.stack.directory[f"{name}.operational_state"]
            for side, name in ((Side.LEFT, "LeftSole"), (Side.RIGHT, "RightSole"))
        }
        self.errors, self.supports, self.heights = [], [], []
        while self.walking.steps_made.value < steps and self.time < MOST_TIME:
            self.run.mailbox.post({self.walking.velocity.wanted: VELOCITY})
            self.go()

    def stop(self):
        self.made_when_stopped = self.walking.steps_made.value
        self.run.mailbox.post({self.walking.velocity.wanted: np.zeros(3)})
        while not self.rests and self.time < MOST_TIME:
            self.go()

    @property
    def time(self):
        return self.run.stack.clock.now

    @property
    def rests(self):
        stride = self.walking._stride
        return stride.step is None and self.time - self.walking._began > stride.plan.duration + 0.5

    def go(self):
        self.run.advance(SLICE)
        walking = self.walking
        self.errors.append(np.abs(walking.dcm.value - walking.dcm_goal.value)[:2].max())
        standing = {side for side, state in self.contacts.items() if state.value == "enable"}
        self.supports.append((walking.support.value, standing))
        self.heights.append(self.run.coordinator.robot_state.base_position[2])


@pytest.fixture(scope="module")
def walk():
    made = Walk(MOST_STEPS)
    made.stop()
    return made


@pytest.fixture(scope="module")
def controller():
    overrides = {"servo_frequency": FREQUENCY}
    with SimulatedController(WALK, overrides) as made:
        yield made


def test_it_walks_and_stops_with_its_feet_side_by_side(walk):
    assert walk.rests
    assert MOST_STEPS < walk.walking.steps_made.value <= walk.made_when_stopped + 2
    assert walk.run.coordinator.robot_state.base_position[0] > 0.6
    left, right = walk.walking._places(walk.run.coordinator.swap.model.robot_model)
    way = left.position - right.position
    np.testing.assert_allclose(way, [0.0, walk.walking._width, 0.0], atol=0.02)
    assert np.abs(walk.run.coordinator.robot_state.base_velocity[:3]).max() < 0.05


def test_it_stays_upright_and_on_its_plan(walk):
    assert min(walk.heights) > 0.98
    assert max(walk.errors) < 0.06


def test_contacts_are_those_the_support_says(walk):
    feet = {"both": set(Side), "left": {Side.LEFT}, "right": {Side.RIGHT}}
    assert {support for support, _ in walk.supports} == set(feet)
    assert all(standing == feet[support] for support, standing in walk.supports)


def test_nothing_fails_on_the_way(walk):
    walk.run.outbox.deliver_all()
    errors = [n.text for n in walk.run.notices if n.level is NoticeLevel.ERROR]
    assert errors == []


def test_contacts_that_come_and_go_bind_no_kernel_that_was_bound_before():
    walk, bound = Walk(steps=2), []
    module = sys.modules["controlit_ros.kernels.bind"]
    unpacking = module._unpacking
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_unpacking", lambda *of: bound.append(of[0]) or unpacking(*of))
        while walk.walking.steps_made.value < MOST_STEPS and walk.time < MOST_TIME:
            walk.run.mailbox.post({walk.walking.velocity.wanted: VELOCITY})
            walk.go()
    assert walk.walking.steps_made.value == MOST_STEPS
    # one that updates itself may meet a state with a model for the first time
    assert not {constrain, effort_cost, task_motions}.intersection(bound)


def test_after_a_fault_in_mid_swing_the_foot_comes_down_and_it_stands():
    walk = Walk(steps=1)
    walking, coordinator = walk.walking, walk.run.coordinator
    while walking._swing is None or walk.time - walking._lifted < HALF_A_SWING:
        walk.run.mailbox.post({walking.velocity.wanted: VELOCITY})
        walk.go()
    swinging = walking._swing.target.side
    states = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "step", lambda _moment: 1 / 0)
        walk.run.stack.clock.advance(1)
        states.append(coordinator.state)
    while coordinator.state is CoordinatorState.SAFE and walk.time < MOST_TIME:
        walk.run.stack.clock.advance(1)
    walk.run.stack.clock.advance(1)
    assert states == [CoordinatorState.SAFE]
    assert coordinator.state is CoordinatorState.ACTIVE
    assert walk.contacts[swinging].value == "disable"
    walk.heights.clear()
    while not walk.rests and walk.time < MOST_TIME:
        walk.go()
    assert walk.supports[-1] == ("both", set(Side))
    assert min(walk.heights) > 0.98
    assert np.abs(coordinator.robot_state.base_velocity[:3]).max() < 0.05


@pytest.mark.parametrize(
    ("kind", "name"), [("task", "CenterOfMass"), ("task", "LeftFoot"), ("constraint", "LeftSole")]
)
def test_what_is_led_cannot_be_removed(controller, kind, name):
    service = f"remove{kind.capitalize()}"
    answer = controller.call(
        f"control/{service}", f"controlit/srv/{service[0].upper()}{service[1:]}", **{kind: name}
    )
    assert not answer.success
    assert "the behaviour 'Walk' leads it" in answer.message
