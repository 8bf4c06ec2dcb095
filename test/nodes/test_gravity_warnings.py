"""What gravity takes of the efforts at the start, against weights worked out by hand."""

import numpy as np
import pytest

from controlit_ros.constraints import ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.nodes.checks.gravity import gravity_warnings

WEIGHT = 2.0 * 9.81 * 0.5  # [N m] of 2 kg at half a metre, level


INERTIA = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
BODY = '<link name="{}"><inertial><origin xyz="{} 0 0"/><mass value="2"/>{}</inertial></link>'


def arm(limit):
    """A bar on a joint."""
    return RobotDescription(
        f"""<robot name="arm">{BODY.format("base", 0.0, INERTIA)}{BODY.format("bar", 0.5, INERTIA)}
        <joint name="lift" type="revolute"><parent link="base"/><child link="bar"/>
        <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="{limit}" velocity="1"/>
        </joint></robot>"""
    )


def doubts(robot, angle):
    base = FlatContact("Base", robot)
    base.parameter("body").set("base")
    base.configure()
    state = RobotState(robot.real_joints)
    state.position[0] = angle
    return list(gravity_warnings(robot, ConstraintSet([base]), state))


@pytest.mark.parametrize("share", [0.1, 0.69, 0.71, 0.96, 1.3])
@pytest.mark.parametrize("angle", [0.0, 0.7, -1.2])
def test_what_gravity_takes_is_told_from_seven_tenths_on(share, angle):
    taken = WEIGHT * np.cos(angle)
    found = doubts(arm(taken / share), angle)
    if share < 0.7:
        assert found == []
    else:
        ((path, text),) = found
        assert path == ("robot_description",)
        assert f"lift {100 * share:.0f} % ({taken:.3g} of {taken / share:.3g})" in text


def test_joints_without_a_limit_are_no_matter():
    assert doubts(arm(0.0), 0.0) == []
