"""Footsteps of a client: a list is made as a whole, or refused before the first step."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.client import RefusedError, Step, WaitTimeoutError, connect
from controlit_ros.scripting import SimulatedController

pytestmark = [pytest.mark.simulation, needs_example_robots]

TALOS = REPOSITORY / "config" / "talos" / "walk.yaml"
SIDE = 0.085  # [m]


def steps(*lengths, start=0.0):
    """Return steps that go on by lengths, left foot first."""
    places, found = start + np.cumsum(lengths), []
    for i, x in enumerate(places.tolist()):
        foot = ("left", "right")[i % 2]
        found.append(Step(foot, (x, SIDE if foot == "left" else -SIDE, 0.0)))
    return found


def made(robot):
    return robot.parameters["Walk.steps"]


def test_a_list_is_made_or_refused_as_a_whole():
    with SimulatedController(TALOS) as controller, connect(controller) as robot:
        for lengths, number in (
            ((0.9,), 1),
            ((0.2, 0.9), 2),
            ((0.2, 0.1, 0.1, -0.8), 4),
        ):
            with pytest.raises(RefusedError, match=f"step {number}: found .* m ahead"):
                robot.make_steps(steps(*lengths))
            robot.sleep(1.5)
            assert made(robot) == 0
        robot.make_steps(steps(0.2, 0.1, 0.1, 0.0))
        assert robot.parameters["Walk.steps_ahead"] == 4
        assert robot.wait(lambda: made(robot) == 1, 5.0)
        with pytest.raises(RefusedError, match="step 2"):  # what it was given goes on
            robot.make_steps(steps(0.1, 0.9, start=0.3))
        assert robot.wait(lambda: robot.parameters["Walk.steps_ahead"] == 0, 10.0)
        assert made(robot) == 4
        robot.deactivate()
        with pytest.raises(WaitTimeoutError, match="talos_controller is inactive"):
            robot.make_steps(steps(0.1))
