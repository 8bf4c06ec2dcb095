"""Robots with the file that `new robot` writes pass the check and stay within their limits."""

import numpy as np
import pytest
from robots_for_tests import needs_example_robots

from controlit_bench.at_rest import robots
from controlit_bench.first_files import FirstFile, first_file

DURATION = 0.5  # [s] feet sink in, and what is too weak falls

STAND = {"a1": "4 points", "talos_reduced": "2 soles", "quadruped": "4 points"}
BOLTED = ("ur5_robot", "z1", "baxter", "pr2", "tiago_no_hand", "human", "simple_humanoid")
"""Two arms that hang lower than at zero, fingers that follow each other, two that cannot stand."""

GOOD = FirstFile("any", 3, "bolted", 2, "ok", -0.1, 0.1, 0.5, 0.0)


def described(name):
    return next(path for path in robots() if path.stem == name)


@needs_example_robots
@pytest.mark.thorough
@pytest.mark.simulation
@pytest.mark.parametrize("name", [*STAND, *BOLTED])
def test_it_is_right_and_holds(name):
    found = first_file(described(name), DURATION)
    assert found.holds, found
    assert found.stands == STAND.get(name, "bolted")
    assert np.isfinite([found.position, found.velocity, found.effort, found.moved]).all()
    assert found.moved < 0.02


@needs_example_robots
def test_less_than_three_joints_are_left_out():
    assert first_file(described("TwoDofs"), DURATION) is None
    assert first_file(described("iris_simple"), DURATION) is None


@pytest.mark.parametrize(
    "change",
    [
        {"position": 0.01},
        {"velocity": 1.1},
        {"effort": 1.01},
        {"effort": float("nan")},
        {"check": "error"},
        {"remark": "control ended at 0.10 s"},
    ],
)
def test_what_is_beyond_a_limit_does_not_hold(change):
    assert GOOD.holds
    assert not GOOD._replace(**change).holds
