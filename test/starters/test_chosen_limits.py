"""Descriptions with limits of zero become arms that hold themselves, or are refused."""

import re

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import MOVING, SEEDS, chain
from tries import tries

from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building import load_stack
from controlit_ros.scripting import SimulatedController
from controlit_ros.starters.chosen_limits import chosen_limits
from controlit_ros.starters.first_configuration import first_configuration

KINDS = st.lists(st.sampled_from(MOVING), min_size=1, max_size=5).map(tuple)


def limited(seed, kinds, **values):
    urdf = chain(seed, kinds).urdf
    for name, value in values.items():
        urdf = re.sub(rf'{name}="[^"]*"', f'{name}="{value}"', urdf)
    return urdf


def write(folder, urdf):
    path = folder / "arm.urdf"
    path.write_text(urdf, encoding="utf-8")
    file = folder / "first.yaml"
    file.write_text(first_configuration(str(path), "first", folder), encoding="utf-8")
    return file


@settings(max_examples=tries(50))
@given(seed=SEEDS, kinds=KINDS, draw=SEEDS)
def test_chosen_efforts_hold_in_any_posture(seed, kinds, draw):
    """Oracle: what gravity takes in random postures of the bolted robot."""
    robot = RobotDescription(limited(seed, kinds, effort=0))
    limits = chosen_limits(robot)["effort_limits"]
    model = robot.pinocchio
    rng = np.random.default_rng(draw)
    for _ in range(20):
        q = pin.neutral(model)
        for i, joint in enumerate(robot.real_joints):
            own = model.joints[model.getJointId(joint)]
            low, high = max(robot.lower_limits[i], -3.0), min(robot.upper_limits[i], 3.0)
            at = rng.uniform(low, high)
            q[own.idx_q : own.idx_q + own.nq] = (np.cos(at), np.sin(at)) if own.nq == 2 else at
        turned = pin.Quaternion(*rng.normal(size=4)).normalized()
        q[3:7] = turned.coeffs()
        taken = pin.computeGeneralizedGravity(model, model.createData(), q)[6:]
        for joint, effort in zip(robot.real_joints, taken, strict=True):
            assert abs(effort) <= limits[joint]


def test_limits_that_are_stated_stay():
    robot = RobotDescription(chain(1, ("revolute", "revolute")).urdf)
    assert chosen_limits(robot) == {}
    slow = chosen_limits(RobotDescription(limited(1, ("revolute",), velocity=0)))
    assert list(slow) == ["velocity_limits"]


@pytest.mark.parametrize(
    "values", [{"effort": 0}, {"velocity": 0}, {"effort": 0, "velocity": 0}], ids=str
)
def test_the_first_file_holds_the_arm(values, tmp_path):
    file = write(tmp_path, limited(4, ("revolute", "revolute", "prismatic", "revolute"), **values))
    assert load_stack(file).warnings == ()
    with SimulatedController(file) as controller:
        begin = np.array(list(controller.position.values()))
        controller.advance(2.0)
        assert controller.state.value == "active"
        assert np.array(list(controller.position.values())) == pytest.approx(begin, abs=2e-3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"effort": -1}, r"line \d+: joint 'joint_\d': limit effort: found '-1', expected"),
        ({"velocity": -1}, "limit velocity: found '-1', expected a number from 0"),
        ({"effort": "nan"}, "limit effort: found 'nan'"),
        ({"effort": "inf"}, "limit effort: found 'inf'"),
        ({"effort": ""}, "limit effort: found ''"),
        ({"lower": 0, "upper": 0}, "leave no joint an effort, a speed and a range"),
        ({"lower": 0, "upper": 0, "effort": 0, "velocity": 0}, "leave no joint an effort"),
    ],
    ids=str,
)
def test_limits_with_which_nothing_moves_are_refused(values, message, tmp_path):
    with pytest.raises(ControlItError, match=message):
        write(tmp_path, limited(4, ("revolute", "revolute"), **values))
    assert not (tmp_path / "first.yaml").exists()


def test_the_configuration_replaces_limits_everywhere(tmp_path):
    file = write(tmp_path, limited(4, ("revolute", "continuous", "revolute"), effort=0))
    stated = {"effort_limits": {"joint_0": 12.5, "*": 7.0}, "velocity_limits": 2.5}
    robot = load_stack(file, stated).robot
    assert robot.effort_limits == pytest.approx([12.5, 7.0, 7.0])
    assert robot.velocity_limits == pytest.approx(2.5)
    assert RobotDescription(robot.urdf).effort_limits == pytest.approx([12.5, 7.0, 7.0])
    with pytest.raises(ControlItError, match=r"effort_limits.*'joint_9'.*joint_0"):
        load_stack(file, {"effort_limits": {"joint_9": 1.0}})
    with pytest.raises(ControlItError, match="velocity_limits"):
        load_stack(file, {"velocity_limits": -1})
