"""Robots with goals out of reach stay active and come to rest, with either controller."""

import numpy as np
import pytest
from robots_for_tests import needs_example_robots

from controlit_bench.at_rest import robots
from controlit_bench.far_goals import CONTROLLERS, run_far_goal
from controlit_ros.share import share_directory
from controlit_ros.starters.first_configuration import first_configuration

pytestmark = [pytest.mark.simulation, pytest.mark.thorough]

ARMS = ("finger_edu", "panda", "so100", "z1", "allegro_left_hand")
MOST_BEYOND = 0.01  # [m] farther from the goal than the nearest point in reach


@needs_example_robots
@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("name", ARMS)
def test_an_arm_stretches_towards_the_goal_and_rests(tmp_path, name, controller):
    urdf = next(path for path in robots() if path.stem == name)
    path = tmp_path / f"{name}.yaml"
    path.write_text(first_configuration(str(urdf), "first", tmp_path))
    found = run_far_goal(path, controller, 0)
    assert found.passes, found
    if not np.isnan(found.nearest):
        assert found.error < found.nearest + MOST_BEYOND


@needs_example_robots
@pytest.mark.parametrize("name", ["panda/reach", "panda/obstacle"])
def test_a_shipped_file_rests_with_a_goal_out_of_reach(name):
    path = share_directory() / "config" / f"{name}.yaml"
    controller = "WholeBodyQP" if name == "panda/obstacle" else "WBOSC"
    assert run_far_goal(path, controller, 0).passes
