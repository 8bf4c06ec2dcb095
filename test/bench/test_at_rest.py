"""Robots of any make, all joints free: gravity is held, and nothing moves."""

import os

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import needs_example_robots

from controlit_bench.at_rest import (
    MOST_ERROR,
    MOST_MOTION,
    rest_bolted,
    rest_on_its_feet,
    robots,
)

DURATION = float(os.environ.get("CONTROLIT_REST", "0.06"))  # [s]
LONGER = max(DURATION, 1.2)  # [s] past the soft start

pytestmark = needs_example_robots

# Those with a motor that is weaker than what it has to carry; they are told of it.
TOO_WEAK = {
    "baxter.urdf",
    "double_pendulum.urdf",
    "double_pendulum_continuous.urdf",
    "pr2.urdf",
    "simple_humanoid.urdf",
    "simple_humanoid_classical.urdf",
    "tiago_dual.urdf",
}
IMPOSSIBLE = {"ur3.urdf", "quadrotor_base.urdf", "iris_simple.urdf"}  # no joints, or no URDF
ON_THEIR_FEET = ("a1.urdf", "solo12.urdf", "hyq_no_sensors.urdf", "talos_reduced.urdf")
LIGHT_WRISTS = ("ur10_robot.urdf", "xarm7.urdf", "tiago_no_hand.urdf", "so100.urdf")


def described(name):
    return next(path for path in robots() if path.name == name)


@pytest.mark.thorough
def test_gravity_is_held_by_every_robot_and_nothing_moves():
    strange = {}
    seen = set()
    for urdf in robots():
        found = rest_bolted(urdf, DURATION)
        seen.add(found.robot)
        if found.robot in IMPOSSIBLE:
            assert found.joints == 0
            assert found.remark
            continue
        assert found.error <= MOST_ERROR, found
        if found.robot in TOO_WEAK:
            assert "its limit is" in found.remark
        elif not found.motion <= MOST_MOTION:
            strange[found.robot] = found
    assert not strange
    assert len(seen) > 60
    assert seen >= TOO_WEAK | IMPOSSIBLE


@pytest.mark.thorough
@pytest.mark.parametrize("name", LIGHT_WRISTS)
def test_light_wrists_keep_still_through_the_soft_start(name):
    found = rest_bolted(described(name), LONGER)
    assert found.holds, found


@pytest.mark.thorough
@pytest.mark.parametrize("name", ON_THEIR_FEET)
def test_on_feet_found_from_the_description_robots_keep_still(name):
    found = rest_on_its_feet(described(name), DURATION)
    assert found.holds, found


@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf", "bolt.urdf", "finger_edu.urdf"])
def test_what_has_no_feet_does_not_stand(name):
    assert rest_on_its_feet(described(name), DURATION) is None


def test_the_model_is_pinocchios(monkeypatch):
    """The oracle is no kernel of ours: another gravity there is an error here."""
    urdf = described("ur5_robot.urdf")
    gravity = pin.computeGeneralizedGravity
    monkeypatch.setattr(
        pin, "computeGeneralizedGravity", lambda *args: gravity(*args) + np.full(12, 1e-3)
    )
    assert rest_bolted(urdf, DURATION).error > MOST_ERROR
