"""Arms begin where gravity leaves their motors enough, and near zero."""

import numpy as np
import pytest

from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building import load_stack
from controlit_ros.starters.first_configuration import first_configuration
from controlit_ros.starters.light_posture import ENOUGH, lighten

LINK = """<link name="{0}"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{0}_joint" type="{type}"><parent link="base"/><child link="{0}"/>
<axis xyz="0 1 0"/><limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="2"/>
{more}</joint>"""
HORIZONTAL = 2.0 * 9.81 * 0.5  # [N m] of an arm that is stretched


def robot(*arms):
    """Return the text of a robot with horizontal arms at a base."""
    usual = {"type": "revolute", "lower": -2, "upper": 2, "effort": 100, "more": ""}
    parts = [LINK.format("base")]
    for i, arm in enumerate(arms):
        parts += [LINK.format(f"arm{i}"), JOINT.format(f"arm{i}", **{**usual, **arm})]
    return f"<robot name='arms'>{''.join(parts)}</robot>"


def shares(position, efforts):
    """Return what gravity takes of the limits, by hand."""
    return HORIZONTAL * np.abs(np.cos(position)) / efforts


def lightened(efforts, *, is_free=None):
    description = RobotDescription(robot(*({"effort": effort} for effort in efforts)))
    n = len(efforts)
    free = np.ones(n, dtype=bool) if is_free is None else np.array(is_free)
    found = lighten(description, np.zeros(n), np.full(n, -1.9), np.full(n, 1.9), free)
    return found, shares(found, np.array(efforts))


def test_strong_arms_stay():
    assert not lightened([20.0, 30.0])[0].any()


@pytest.mark.parametrize("efforts", [[10.0], [10.0, 10.0], [8.0, 50.0, 8.0]])
def test_weak_arms_go_where_they_are_held_and_the_others_stay(efforts):
    found, load = lightened(efforts)
    assert (load <= ENOUGH).all()
    assert all(bool(q) == (effort < 15.0) for q, effort in zip(found, efforts, strict=True))
    assert np.abs(found).max() < np.pi / 2


def test_what_may_not_move_stays():
    found, _ = lightened([10.0, 10.0], is_free=[False, True])
    assert found[0] == 0.0
    assert found[1] != 0.0


def written(text, folder):
    urdf = folder / "arms.urdf"
    urdf.write_text(text, encoding="utf-8")
    path = folder / "first.yaml"
    path.write_text(first_configuration(str(urdf), "first", folder), encoding="utf-8")
    return load_stack(path)


def test_a_joint_that_follows_backwards_may_begin_as_well(tmp_path):
    """Both may go from 0 to 0.5, one against the other: only zero is left to them."""
    narrow = {"lower": 0, "upper": 0.5}
    mimic = "<mimic joint='arm0_joint' multiplier='-1'/>"
    stack = written(robot(narrow, {**narrow, "more": mimic}), tmp_path)
    assert not stack.start.position.any()


def test_a_joint_that_follows_elsewhere_keeps_in_its_range(tmp_path):
    mimic = "<mimic joint='arm0_joint' multiplier='2' offset='0.1'/>"
    text = robot({"lower": -1}, {"lower": 0.4, "upper": 1.5, "more": mimic})
    begin = written(text, tmp_path).start.position
    assert begin[1] == pytest.approx(2.0 * begin[0] + 0.1, abs=1e-6)
    assert 0.4 < begin[1] < 1.5


@pytest.mark.parametrize("limit", [{"effort": 0}, {"lower": 0, "upper": 0}])
def test_what_limits_leave_nothing_is_locked(limit, tmp_path):
    stack = written(robot({}, limit), tmp_path)
    assert stack.robot.real_joints == ("arm0_joint",)
    assert stack.warnings == ()
