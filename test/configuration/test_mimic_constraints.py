"""Joints that mimic others are coupled unless the configuration itself says how they move."""

import pytest

from controlit_ros.configuration import load_configuration

ROBOT = """<robot name="r">
<joint name="finger_1" type="revolute"/>
<joint name="finger_2" type="TYPE"><mimic joint="finger_1" multiplier="-1" offset="0.1"/></joint>
<joint name="finger_3" type="revolute"><mimic joint="finger_2" multiplier="2"/></joint>
</robot>"""
CONSTRAINT = "\nconstraints: [{name: C, type: Coactuation, master: finger_1, slave: SLAVE}]\n"


def couplings(more="", robot=ROBOT):
    robot = robot.replace("TYPE", "revolute")
    configuration = load_configuration(
        f"name: r\nrobot_description: '{' '.join(robot.split())}'\n{more}"
    )
    return [
        (entry.name, *entry.parameters.values())
        for entry in configuration.constraints
        if entry.name != "C"
    ], configuration


def test_followers_of_one_joint_are_one_constraint():
    found, configuration = couplings()
    assert found == [
        ("finger_1_mimics", "finger_1", ["finger_2", "finger_3"], [-1.0, -2.0], [0.1, 0.2])
    ]
    (state,) = configuration.constraint_set
    assert (state.name, state.operational_state) == ("finger_1_mimics", "enable")
    assert configuration.locate(("constraints", 0, "slave")) == (2, 1)


def test_it_can_be_off_from_the_start():
    more = "constraint_set: [{name: finger_1_mimics, operational_state: disable}]"
    found, configuration = couplings(more)
    assert len(found) == 1
    (state,) = configuration.constraint_set
    assert state.operational_state == "disable"


@pytest.mark.parametrize("more", ["parameters: {mimic_joints: false}", "parameters: {}"])
def test_there_is_a_switch(more):
    assert bool(couplings(more)[0]) is ("false" not in more)


@pytest.mark.parametrize(
    ("more", "left"),
    [
        (CONSTRAINT.replace("SLAVE", "other"), ["finger_2", "finger_3"]),
        (CONSTRAINT.replace("SLAVE", "[finger_3, other]"), ["finger_2"]),
        (CONSTRAINT.replace("SLAVE", "[finger_2, finger_3]"), []),
        ("parameters: {passive_joints: [finger_3]}", ["finger_2"]),
        ("parameters: {locked_joints: [fing*_3]}", ["finger_2"]),
        ("parameters: {locked_joints: {finger_1: 0.3}}", []),
    ],
)
def test_joints_that_somebody_thought_of(more, left):
    found, _ = couplings(more)
    assert [slave for entry in found for slave in entry[2]] == left


def test_a_joint_of_which_only_others_hang():
    found, _ = couplings(CONSTRAINT.replace("SLAVE", "finger_2"))
    assert found == [("finger_2_mimics", "finger_2", ["finger_3"], [2.0], [0.0])]


def test_a_joint_that_does_not_move():
    found, _ = couplings(robot=ROBOT.replace("TYPE", "fixed"))
    assert found == []


def test_what_cannot_be_is_a_warning_with_its_line():
    _, configuration = couplings(robot=ROBOT.replace('mimic joint="finger_1"', 'mimic joint="f"'))
    (warning,) = [text for text in configuration.warnings if "mimics" in text]
    assert warning.startswith("2:1: robot_description: joint 'finger_2' mimics 'f', expected a")
    assert "it moves by itself; expected a Coactuation, or the joint in passive_joints" in warning


@pytest.mark.parametrize(
    ("joint", "taken", "name"),
    [
        ("hand/finger-1", "x", "hand_finger_1_mimics"),
        ("__1", "x", "joint_1_mimics"),
        ("finger_1", "finger_1_mimics", "finger_1_mimics_2"),
    ],
)
def test_names_are_good_for_ros_and_for_one(joint, taken, name):
    robot = ROBOT.replace("finger_1", joint)
    found, _ = couplings(f"events: [{{name: {taken}, expression: a.b < 1}}]", robot)
    assert found[0][:2] == (name, joint)


@pytest.mark.parametrize("section", ["inequalities", "behaviours"])
def test_names_are_good_beside_parts_of_every_kind(section):
    kind = {"inequalities": "JointBounds", "behaviours": "Walking"}[section]
    found, _ = couplings(f"{section}: [{{name: finger_1_mimics, type: {kind}}}]")
    assert found[0][0] == "finger_1_mimics_2"


@pytest.mark.parametrize("more", ["parameters: 3\n", "constraints: 3\n", "constraint_set: 3\n"])
def test_other_mistakes_do_not_get_in_the_way(more):
    with pytest.raises(Exception, match="found 3"):
        couplings(more)


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_what_mimics_a_fixed_joint_is_fixed_where_that_holds_it(kind):
    """Launch files read robots without the libraries of the model, which only locking needs."""
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
    robot = f"""<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="one" type="{kind}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    {limit}</joint>
    <joint name="two" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
    {limit}<mimic joint="one" offset="0.25"/></joint></robot>"""
    found, configuration = couplings(robot=robot)
    urdf = configuration.read_robot_description().urdf
    assert bool(found) is (kind == "revolute")
    assert ('xyz="0.25 0.0 0.0"' in urdf) is (kind == "fixed")
