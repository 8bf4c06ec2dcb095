"""Talos goes onto a slope over footsteps that it is given, and on over it to a velocity."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_demos.slope.demo import FLOOR, STEEP, height_at, slope_at
from controlit_ros.client import Step
from controlit_ros.client.step import step_numbers
from controlit_ros.locomotion.footstep import Side
from controlit_ros.servo import CoordinatorState

WALK = REPOSITORY / "config" / "talos" / "walk.yaml"
SCENE = REPOSITORY / "config" / "scenes" / "slope.xml"
FREQUENCY = 500  # [Hz] half of the file's, for half of the work
UP_TO_IT = (0.15, 0.42, 0.62, 0.62)  # [m] along x
HALF = 0.085  # [m] between the middle and a sole
AHEAD = np.array([0.2, 0.0, 0.0])  # [m/s]
SLICE = 50  # [cycles]
HIGHEST = 0.02  # [m] off the slope, of soles that stand
MOST_TIME = 20.0  # [s]

pytestmark = [pytest.mark.simulation, needs_example_robots]


class Climb:
    """What a robot does on the slope."""

    def __init__(self):
        overrides = {
            "servo_frequency": FREQUENCY,
            "soft_start_time": 0,
            "robot_interface.scene": str(SCENE),
            "estimation.level_ground": FLOOR,
        }
        self.run = SimulatedHands(WALK, None, overrides)
        (self.walking,) = self.run.stack.behaviours
        self.physics = self.run.stack.robot_interface.simulation
        self.soles = {
            side: self.physics.model.body(f"{side.name.lower()}_sole_link").id for side in Side
        }

    def go(self, **values):
        self.run.mailbox.post({self.walking.parameter(k): v for k, v in values.items()})
        self.run.stack.clock.advance(SLICE)
        assert self.run.coordinator.state is CoordinatorState.ACTIVE
        assert self.run.stack.clock.now < MOST_TIME

    def sole(self, side):
        """Return where it is and its axes in the world, as the simulator has it."""
        data, body = self.physics.data, self.soles[side]
        return data.xpos[body].copy(), data.xmat[body].reshape(3, 3).copy()


@pytest.fixture(scope="module")
def climb():
    climb = Climb()
    walking = climb.walking
    for name, value in (("single_support", 0.8), ("double_support", 0.3)):
        walking.parameter(name).set(value)
    feet = [("left", HALF), ("right", -HALF)] * 2
    steps = [
        Step(foot, (x, y, height_at(x)), slope=(slope_at(x), 0.0))
        for (foot, y), x in zip(feet, UP_TO_IT, strict=True)
    ]
    climb.go()
    climb.go(footsteps=step_numbers(steps, walking.given.given.value.size))
    while walking.steps_ahead.value or walking._stride.step is not None:
        climb.go()
    climb.stood = [climb.sole(side) for side in Side]
    made = walking.steps_made.value
    while walking.steps_made.value < made + 3:
        climb.go(velocity=AHEAD)
    while walking._stride.step is not None:
        climb.go(velocity=np.zeros(3))
    return climb


def test_soles_lie_on_the_slope(climb):
    normal = np.array([-STEEP, 0.0, 1.0]) / np.hypot(1.0, STEEP)
    for place, axes in [*climb.stood, *(climb.sole(side) for side in Side)]:
        assert place[2] == pytest.approx(height_at(place[0]), abs=HIGHEST)
        assert axes[:, 2] @ normal > np.cos(np.radians(1.5))


def test_to_a_velocity_it_goes_on_as_the_slope_does(climb):
    before = np.mean([place for place, _ in climb.stood], axis=0)
    after = np.mean([climb.sole(side)[0] for side in Side], axis=0)
    way = after - before
    assert way[0] > 0.3
    assert way[2] == pytest.approx(STEEP * way[0], abs=HIGHEST)
