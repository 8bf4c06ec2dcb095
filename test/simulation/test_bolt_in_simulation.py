"""Bolt steps in place on point feet, walks and is pushed, where its own sensors say it is."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import NoticeLevel

BOLT = REPOSITORY / "config" / "bolt"
VELOCITY = np.array([0.15, 0.0, 0.0])
SLICE = 50  # [cycles]
PUSH = 2.5  # [N] for a tenth of a second, on a robot of 1.25 kg
UPRIGHT = 0.40  # [m] of its base, which begins at 0.42
LONGEST = 4000  # [cycles]

pytestmark = [pytest.mark.simulation, needs_example_robots]


class Bolt:
    """Bolt, and the truth beside what it believes."""

    def __init__(self, edit=lambda _: None):
        def absolute(data):
            data["simulator"]["scene"] = str(BOLT / "floor.xml")
            edit(data)

        self.run = SimulatedHands(BOLT / "walk.yaml", absolute, {"soft_start_time": 0})
        (self.walking,) = self.run.stack.behaviours
        self.physics = self.run.stack.robot_interface.simulation
        self.heights, self.supports = [], set()

    def go(self, duration, velocity=None):
        until = self.run.stack.clock.now + duration
        while self.run.stack.clock.now < until:
            if velocity is not None:
                self.run.mailbox.post({self.walking.velocity.wanted: velocity})
            self.run.advance(SLICE)
            self.heights.append(self.truth[2])
            self.supports.add(self.walking.support.value)

    @property
    def truth(self):
        start = self.physics._base_position
        return self.physics.data.qpos[start : start + 3].copy()

    def failures(self):
        self.run.outbox.deliver_all()
        return [notice.text for notice in self.run.notices if notice.level is NoticeLevel.ERROR]


def test_it_stays_up_by_stepping_pushed_and_walks():
    bolt = Bolt()
    bolt.go(1.6)
    place = bolt.truth
    steps = bolt.walking.steps_made.value
    assert steps >= 2  # nobody asked it to go anywhere
    bolt.physics.push("base_link", [0.0, PUSH, 0.0], 0.1)
    bolt.go(1.2)
    assert bolt.walking.changes.value > 0
    assert bolt.truth[1] > place[1] + 0.01  # it gave way
    bolt.go(2.0, VELOCITY)
    assert bolt.truth[0] > place[0] + 0.08
    assert min(bolt.heights) > UPRIGHT
    assert {"left", "right"} <= bolt.supports
    assert bolt.failures() == []


def test_it_knows_where_it_is_by_forces_that_are_expected():
    bolt = Bolt()
    assert not bolt.run.stack.robot.sensors
    bolt.go(1.2)
    state = bolt.run.coordinator.robot_state
    assert np.abs(state.base_position - bolt.truth).max() < 0.01
    assert bolt.run.stack.estimator.tilt_error.value < np.radians(1.0)


def test_without_changed_steps_it_falls():
    def fixed(data):
        data["behaviours"][0]["adapts_steps"] = False

    bolt = Bolt(fixed)
    for _ in range(LONGEST // SLICE):
        bolt.run.stack.clock.advance(SLICE)
        if bolt.truth[2] < UPRIGHT:
            break
    assert bolt.truth[2] < UPRIGHT
