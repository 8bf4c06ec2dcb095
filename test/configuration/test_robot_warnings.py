"""What a robot description says and the controller does not do is told."""

import pytest

from controlit_ros.configuration import load_configuration

MIMIC = """<robot name="r"><joint name="finger_2" type="revolute"><parent link="a"/>
<child link="b"/><mimic joint="finger_1"/></joint></robot>"""

TEXT = f"""name: r
robot_description: '{" ".join(MIMIC.split())}'
"""
CONSTRAINTS = """
constraints: [{name: C, type: Coactuation, master: finger_1, slave: SLAVE}]
constraint_set: [{name: C}]
"""


def warnings(more):
    return load_configuration(TEXT + more).warnings


def test_a_robot_that_nothing_holds():
    floats, _ = warnings("")
    assert floats.startswith("2:1: robot_description: no constraint holds the robot: its base")


def test_a_joint_that_mimics():
    (mimics,) = warnings(CONSTRAINTS.replace("SLAVE", "other"))
    assert "joint 'finger_2' mimics 'finger_1' in the robot description" in mimics
    assert "expected a Coactuation, or the joint in locked_joints" in mimics


def test_a_joint_that_does_not_move():
    text = TEXT.replace("revolute", "fixed") + CONSTRAINTS.replace("SLAVE", "other")
    assert load_configuration(text).warnings == ()


@pytest.mark.parametrize(
    "more",
    [
        CONSTRAINTS.replace("SLAVE", "finger_2"),
        CONSTRAINTS.replace("SLAVE", "[finger_2, other]"),
        CONSTRAINTS + "parameters: {locked_joints: [fing*]}",
        CONSTRAINTS + "parameters: {locked_joints: {finger_2: 0.3}}",
        CONSTRAINTS + "parameters: {passive_joints: [finger_2]}",
    ],
)
def test_a_joint_that_somebody_thought_of(more):
    assert warnings(more.replace("SLAVE", "other")) == ()


@pytest.mark.parametrize("more", ["parameters: 3\n", "constraints: 3\n", "constraint_set: 3\n"])
def test_other_mistakes_do_not_get_in_the_way(more):
    with pytest.raises(Exception, match="found 3"):
        warnings(more)
