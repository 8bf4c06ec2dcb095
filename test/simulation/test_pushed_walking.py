"""Talos steps in place, or walks, and is pushed in mid-swing."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState

WALK = REPOSITORY / "config" / "talos" / "walk.yaml"
IN_PLACE = np.array([0.002, 0.0, 0.0])  # [m/s] as good as zero, which would be to stand
FREQUENCY = 500  # [Hz] half of the file's, for half of the work
CHEST, PUSH_TIME = "torso_2_link", 0.1  # [s]
IMPULSE = 28.0  # [N s] to the left
STANDING_IMPULSE = 36.0  # [N s] more than soles hold
SINGLE_SUPPORT = 0.6  # [s] of the file
IN_SWING = 0.1  # [s] after the foot has left
AHEAD = np.array([0.3, 0.0, 0.0])  # [m/s]
EXPECTED = 0.3  # [N s/kg] in every direction while it walks
CORNERS = [
    *((0.1, 90), (0.1, 270), (0.35, 0), (0.35, 90), (0.35, 120)),
    *((0.6, 0), (0.6, 180), (0.85, 180), (0.85, 240), (0.85, 270)),
]
"""Part of the time on the left foot, direction from forward to the left [°]: hard ones."""
SLICE = 25  # [cycles]
FALLEN = 0.8  # [m]

pytestmark = [pytest.mark.simulation, needs_example_robots]


class PushedSteps:
    """Steps until the right foot has left for some time, and what comes after."""

    def __init__(self, *, adapts=True, velocity=IN_PLACE, steps=0, after=IN_SWING):
        self.velocity = velocity
        overrides = {"servo_frequency": FREQUENCY, "soft_start_time": 0}
        self.run = SimulatedHands(WALK, None, overrides)
        (self.walking,) = self.run.stack.behaviours
        self.walking.parameter("adapts_steps").set(adapts)
        self.physics = self.run.stack.robot_interface.simulation
        made = self.walking.steps_made
        while velocity.any() and (made.value < steps or self.walking.support.value != "left"):
            self.go(1)
        self.go(round(after * FREQUENCY))

    @property
    def mass(self):
        return float(self.physics.model.body_mass.sum())

    @property
    def height(self):
        return self.physics.data.qpos[self.physics._base_position + 2]

    def go(self, cycles):
        self.run.mailbox.post({self.walking.velocity.wanted: self.velocity})
        self.run.stack.clock.advance(cycles)

    def stays_up(self, duration):
        for _ in range(round(duration * FREQUENCY / SLICE)):
            self.go(SLICE)
            active = self.run.coordinator.state is CoordinatorState.ACTIVE
            if not active or self.height < FALLEN:
                return False
        return True


@pytest.mark.parametrize("adapts", [True, False])
def test_a_step_aside_keeps_it_up_that_fell_without(adapts):
    steps = PushedSteps(adapts=adapts)
    steps.physics.push(CHEST, (0.0, IMPULSE / PUSH_TIME, 0.0), PUSH_TIME)
    assert steps.stays_up(2.5) == adapts
    assert (steps.walking.changes.value > 0) == adapts


@pytest.mark.parametrize("catches", [True, False])
@pytest.mark.parametrize("direction", [0, 180])
def test_a_step_out_of_standing_keeps_it_up_that_fell_without(direction, catches):
    standing = PushedSteps(velocity=np.zeros(3), after=1.0)
    standing.walking.parameter("catches_itself").set(catches)
    force = STANDING_IMPULSE / PUSH_TIME
    angle = np.radians(direction)
    standing.physics.push(CHEST, (force * np.cos(angle), force * np.sin(angle), 0.0), PUSH_TIME)
    assert standing.stays_up(4.0) == catches
    assert (standing.walking.steps_made.value > 0) == catches
    if catches:
        assert standing.walking.rests.value


@pytest.mark.parametrize(("phase", "direction"), CORNERS)
def test_it_walks_on_after_a_push(phase, direction):
    steps = PushedSteps(velocity=AHEAD, steps=2, after=phase * SINGLE_SUPPORT)
    force = EXPECTED * steps.mass / PUSH_TIME
    angle = np.radians(direction)
    steps.physics.push(CHEST, (force * np.cos(angle), force * np.sin(angle), 0.0), PUSH_TIME)
    assert steps.stays_up(3.0)
