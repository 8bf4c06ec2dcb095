"""What nothing depends on is not listed, and refused where somebody states it."""

import pytest
from robots_for_tests import chain, configured

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.external_force import ExternalForce
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition


@pytest.mark.parametrize(
    ("task", "idle"),
    [
        (JointLimit, {"goal_timeout", "tare"}),
        (ExternalForce, {"goal_timeout", "frame_mode"}),
        (CartesianPosition, {"frame_mode"}),
        (JointPosition, set()),
    ],
)
def test_what_has_no_effect_is_not_listed(dreamer_description, task, idle):
    listed = configured(task("T", dreamer_description)).parameters.keys()
    known = {"goal_timeout", "tare", "frame_mode"} & task(
        "T", dreamer_description
    ).parameters.keys()
    assert (known | idle) - listed == idle


def test_what_has_an_effect_by_what_is_stated_is_listed(dreamer_description):
    task = configured(CartesianPosition("T", dreamer_description), frame="base_link")
    assert "frame_mode" in task.parameters


@pytest.mark.parametrize("task", [JointLimit, ExternalForce])
def test_stated_in_vain(dreamer_description, task):
    with pytest.raises(ParameterError, match=r"T\.goal_timeout: found 0.2, but nothing is fed"):
        configured(task("T", dreamer_description), goal_timeout=0.2)
    with pytest.raises(ParameterError, match="tare"):
        JointLimit("T", dreamer_description).parameter("tare")


def test_fingers_have_room_between_their_margins():
    robot = chain(1, ("revolute", "prismatic")).description()  # -2 to 2.5
    lower, upper = robot.lower_limits.copy(), robot.upper_limits.copy()
    lower[1], upper[1] = 0.0, 0.04
    task = configured(JointLimit("T", robot.with_limits(lower, upper, robot.velocity_limits)))
    assert task.goal.value.tolist() == pytest.approx([0.05, 0.004])
