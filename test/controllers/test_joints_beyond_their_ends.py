"""Robots whose joints begin at or beyond the ends of their range: they stand, and come back."""

import numpy as np
import pytest
from robots_for_tests import needs_example_robots
from test_limits_kept import HARD, Life

pytestmark = [pytest.mark.thorough, needs_example_robots]

FARTHEST = 0.1  # [rad] beyond the end
LONGEST = 400  # [cycles] in which they come back
BOUNDS = {"name": "Joints", "type": "JointBounds", "acceleration": 60.0}
ROBOTS = {"talos": 2, "icub": 2}
"""How many times each is drawn."""


class Beyond(Life):
    """A robot whose joints, but for those that hold its contacts, begin at their ends or past."""

    def begin(self):
        super().begin()
        robot = self.stack.robot
        self.model.update(self.state)
        holds = np.abs(self.model.Jc[:, 6:]).max(axis=0) > 1e-9
        ends = np.where(self.rng.random(len(holds)) < 0.5, robot.lower_limits, robot.upper_limits)
        way = np.where(ends == robot.lower_limits, -1.0, 1.0)
        past = ends + way * FARTHEST * self.rng.choice([0.0, 1.0], len(holds))
        drawn = ~holds & np.isfinite(ends) & (self.rng.random(len(holds)) < 0.7)
        self.state.position[drawn] = past[drawn]
        self.drawn = np.flatnonzero(drawn)

    def beyond(self):
        """Return how far the worst joint is beyond its end [rad]."""
        robot, q = self.stack.robot, self.state.position
        return max(np.max(robot.lower_limits - q), np.max(q - robot.upper_limits))


@pytest.mark.parametrize("prioritisation", ["Weighted", "Hierarchical"])
@pytest.mark.parametrize("robot", ROBOTS)
def test_they_stand_and_their_joints_come_back(robot, prioritisation):
    for seed in range(ROBOTS[robot]):
        life = Beyond(robot, prioritisation, seed=seed, inequalities=[BOUNDS])
        assert len(life.drawn) > 5
        assert life.beyond() > 0.9 * FARTHEST
        life.play(LONGEST)
        assert not life.counts["limits that exclude each other"]
        assert not life.counts["contacts that miss force"]
        worst = {what: most for what, most in life.worst.items() if what != "Joints [rad]"}
        assert max(worst.values()) <= HARD
        assert life.beyond() <= 1e-3
