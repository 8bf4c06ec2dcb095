"""G1 stands and walks where its own sensors say it is; its feet feel nothing."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import NoticeLevel

G1 = REPOSITORY / "config" / "g1"
VELOCITY = np.array([0.25, 0.0, 0.0])
SLICE = 50  # [cycles]
REACH = np.array([0.05, 0.0, 0.1])  # [m]
PUSH = 60.0  # [N] for a tenth of a second, on a robot of 33 kg
WAY = 0.02  # [-] of the way
TILT, HEIGHT = np.radians(0.5), 0.01  # [rad], [m]
LONGEST = 8.0  # [s]

pytestmark = [pytest.mark.simulation, needs_example_robots]


class Run:
    """G1 on its own sensors, and the truth beside."""

    def __init__(self, file):
        def absolute(data):
            data["simulator"]["scene"] = str(G1 / "floor.xml")

        self.run = SimulatedHands(G1 / file, absolute, {"soft_start_time": 0})
        self.physics = self.run.stack.robot_interface.simulation
        self.estimator = self.run.stack.estimator
        self.start = self.truth
        self.errors, self.tilts, self.heights = [], [], []

    def go(self, duration):
        until = self.time + duration
        while self.time < until:
            self.advance()

    def advance(self):
        self.run.advance(SLICE)
        truth, state = self.truth, self.run.coordinator.robot_state
        way = np.linalg.norm(truth[:2] - self.start[:2])
        error = state.base_position - truth
        self.errors.append((np.linalg.norm(error) - WAY * way, abs(error[2])))
        self.tilts.append(self.estimator.tilt_error.value)
        self.heights.append(truth[2])

    @property
    def time(self):
        return self.run.stack.clock.now

    @property
    def truth(self):
        start = self.physics._base_position
        return self.physics.data.qpos[start : start + 3].copy()

    def failures(self):
        self.run.outbox.deliver_all()
        return [notice.text for notice in self.run.notices if notice.level is NoticeLevel.ERROR]


@pytest.fixture(scope="module")
def walk():
    made = Run("walk.yaml")
    (walking,) = made.run.stack.behaviours
    made.walking = walking
    while walking.steps_made.value < 5 and made.time < LONGEST:
        made.run.mailbox.post({walking.velocity.wanted: VELOCITY})
        made.advance()
    while made.time < LONGEST:  # nobody says stop: there is no more news
        made.advance()
        stride = walking._stride
        if stride.step is None and made.time - walking._began > stride.plan.duration + 0.5:
            break
    return made


def test_it_stands_pushed_and_reaches():
    made = Run("stand.yaml")
    made.go(0.3)
    hand = made.run.tasks["RightHandPosition"]
    made.run.mailbox.post({hand.goal: hand.goal.value + REACH})
    made.physics.push("torso_link", [PUSH, 0.0, 0.0], 0.1)
    made.go(2.5)
    assert hand.error_norm.value < 0.006
    assert min(made.heights) > 0.75
    assert np.abs(made.run.coordinator.robot_state.base_velocity).max() < 0.1
    assert np.linalg.norm(made.truth[:2]) < 0.05
    assert made.failures() == []


def test_it_walks_and_stops_with_its_feet_about_side_by_side(walk):
    assert walk.walking.steps_made.value > 5
    assert walk.truth[0] > 0.5
    assert min(walk.heights) > 0.74
    left, right = walk.walking._places(walk.run.coordinator.swap.model.robot_model)
    way = left.position - right.position
    np.testing.assert_allclose(way, [0.0, walk.walking._width, 0.0], atol=0.03)
    assert np.abs(walk.run.coordinator.robot_state.base_velocity[:3]).max() < 0.05
    assert walk.failures() == []


def test_it_knows_where_it_is_by_forces_that_are_expected(walk):
    assert not walk.run.stack.robot.sensors
    errors, heights = np.array(walk.errors).T
    assert errors.max() < 0.01
    assert heights.max() < HEIGHT
    assert max(walk.tilts) < TILT
