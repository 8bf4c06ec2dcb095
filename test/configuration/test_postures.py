"""Postures by name; the numbers as they stand in the files are the oracle."""

import re

import pytest
from robots_for_tests import example_robot, needs_example_robots

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.running_configuration import running_text

LINK = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
URDF = f"""<robot name="r"><link name="base">{LINK}</link><link name="a">{LINK}</link>
<link name="b">{LINK}</link><link name="c">{LINK}</link>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="5" velocity="5"/></joint>
<joint name="two" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="5" velocity="5"/></joint>
<joint name="three" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="5" velocity="5"/></joint></robot>"""
SRDF = """<robot name="r">
<group_state name="bent" group="all"><joint name="root_joint" value="1 2 3 0 0 1 0"/>
<joint name="one" value="0.25"/><joint name="two" value="-0.5"/><joint name="gone" value="9"/>
</group_state>
<group_state name="home" group="left"><joint name="one" value="0.1"/></group_state>
<group_state name="home" group="right"><joint name="two" value="0.2"/></group_state>
<group_state name="odd" group="all"><joint name="one" value="0.1 0.2"/></group_state>
<group_state name="foreign" group="all"><joint name="gone" value="0.1"/></group_state>
</robot>"""


@pytest.fixture(name="write")
def make_write(tmp_path):
    (tmp_path / "urdf").mkdir()
    (tmp_path / "srdf").mkdir()
    (tmp_path / "urdf" / "r.urdf").write_text(URDF)
    (tmp_path / "srdf" / "r.srdf").write_text(SRDF)

    def write(more, robot="urdf/r.urdf", goal=""):
        path = tmp_path / "r.yaml"
        task = f"name: Posture, type: JointPosition, kp: 64{goal and f', goal_position: {goal}'}"
        path.write_text(
            f"name: r\nrobot_description: {robot}\nrobot_interface: {{mode: in_process}}\n"
            f"tasks: [{{{task}}}]\n{more}\n"
        )
        return path

    return write


def load(path, **overrides):
    return build_stack(load_configuration(path, overrides))


def test_a_posture_and_its_base(write):
    stack = load(write("simulator: {initial_position: bent}"))
    start = stack.start
    assert dict(zip(start.joint_names, start.position.tolist(), strict=True)) == {
        "one": 0.25, "two": -0.5, "three": 0.0
    }  # fmt: skip
    assert start.base_position.tolist() == [1.0, 2.0, 3.0]
    assert start.base_orientation.tolist() == [0.0, 0.0, 1.0, 0.0]


def test_what_is_stated_of_the_base_counts(write):
    more = "simulator: {initial_position: bent, initial_base_position: [0, 0, 7]}"
    assert load(write(more)).start.base_position.tolist() == [0.0, 0.0, 7.0]


def test_a_goal(write):
    (task,) = load(write("", goal="bent")).tasks.tasks
    assert task.goal.value.tolist() == [0.25, -0.5, 0.0]
    assert task.goal.stated


@pytest.mark.parametrize(
    ("name", "expected"),
    [("home", [0.1, 0.2, 0.0]), ("left/home", [0.1, 0.0, 0.0]), ("right/home", [0.0, 0.2, 0.0])],
)
def test_groups_that_share_a_name(write, name, expected):
    stack = load(write(f"simulator: {{initial_position: {name}}}"))
    assert stack.start.position.tolist() == expected


@pytest.mark.parametrize(
    "parameters",
    ["locked_joints: [tw*]", "passive_joints: [two]", "locked_joints: {two: 0.3}"],
)
def test_joints_that_do_not_move_by_themselves_are_left_out(write, parameters):
    (task,) = load(write(f"parameters: {{{parameters}}}", goal="bent")).tasks.tasks
    assert task.goal.value[task.goal.labels.index("one")] == 0.25
    assert "two" not in task.goal.labels


def test_from_the_command_line_and_from_another_file(write, tmp_path):
    (tmp_path / "other.xml").write_text(SRDF.replace("0.25", "0.75"))
    path = write("simulator: {}")
    assert load(path, **{"simulator.initial_position": "bent"}).start.position[0] == 0.25
    stack = load(
        path, **{"simulator.initial_position": "bent", "semantic_description": "other.xml"}
    )
    assert stack.start.position[0] == 0.75
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "saved.yaml").write_text(running_text(stack, elsewhere))
    assert load(elsewhere / "saved.yaml").start.position[0] == 0.75


@pytest.mark.parametrize(
    ("more", "path", "text"),
    [
        (
            "simulator: {initial_position: bend}",
            "simulator.initial_position",
            "did you mean 'bent'",
        ),
        ("simulator: {initial_position: left/bent}", "simulator.initial_position", "no posture"),
        ("simulator: {initial_position: odd}", "simulator.initial_position", "2 numbers for 'one'"),
        (
            "simulator: {initial_position: foreign}",
            "simulator.initial_position",
            "none of the robot's moving joints",
        ),
        ("semantic_description: none.srdf", "semantic_description", "there is no such file"),
        ("semantic_description: package://none/a.srdf", "semantic_description", "no package"),
        ("semantic_description: urdf", "semantic_description", "it is a folder"),
        ("semantic_description: r.yaml", "semantic_description", "r.yaml: "),
        ("semantic_description: [a]", "semantic_description", "found ['a'], expected a text"),
    ],
)
def test_mistakes_stand_where_they_are(write, more, path, text):
    with pytest.raises(ConfigurationError) as caught:
        load(write(more))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line > 1) == (path, True)
    assert text in problem.message


def test_a_goal_that_is_none(write):
    with pytest.raises(
        ConfigurationError, match=r"tasks\[0\].goal_position: .*did you mean 'bent'"
    ):
        load(write("", goal="bend"))


@pytest.mark.parametrize("value", ["", "a", "nan", "1 inf", "1_0"])
def test_values_that_are_no_numbers(write, tmp_path, value):
    (tmp_path / "srdf" / "r.srdf").write_text(SRDF.replace("-0.5", value))
    with pytest.raises(ConfigurationError, match="for 'two', expected numbers"):
        load(write("simulator: {initial_position: bent}"))


def test_of_several_files_the_one_with_the_name_of_the_robot_counts(write, tmp_path):
    (tmp_path / "srdf" / "s.srdf").write_text(SRDF.replace("0.25", "0.75"))
    assert load(write("simulator: {initial_position: bent}")).start.position[0] == 0.25
    (tmp_path / "srdf" / "r.srdf").rename(tmp_path / "srdf" / "t.srdf")
    with pytest.raises(ConfigurationError, match=r"s\.srdf, t\.srdf of its name; expected sem"):
        load(write("simulator: {initial_position: bent}"))


def test_without_a_file_of_the_robot_there_is_no_place_to_look(write):
    inline = "'" + " ".join(URDF.split()) + "'"
    with pytest.raises(ConfigurationError, match="expected semantic_description to say"):
        load(write("simulator: {initial_position: bent}", inline))


STOCK = {
    "talos_data/robots/talos_reduced.urdf": ("half_sitting", "talos_data/srdf/talos.srdf"),
    "icub_description/robots/icub.urdf": ("half_sitting", "icub_description/srdf/icub.srdf"),
    "panda_description/urdf/panda.urdf": ("default", "panda_description/srdf/panda.srdf"),
    "solo_description/robots/solo12.urdf": ("standing", "solo_description/srdf/solo.srdf"),
    "anymal_b_simple_description/robots/anymal-kinova.urdf": (
        "standing_with_arm_up",
        "anymal_b_simple_description/srdf/anymal-kinova.srdf",
    ),
}


@needs_example_robots
@pytest.mark.parametrize("robot", STOCK)
def test_stock_robots_start_as_their_makers_say(robot):
    name, source = STOCK[robot]
    stack = build_stack(
        load_configuration(
            f"name: r\nrobot_description: package://example-robot-data/robots/{robot}\n"
            f"robot_interface: {{mode: in_process}}\nsimulator: {{initial_position: {name}}}\n"
            "parameters: {rotor_inertia: 0.05}\n"
            f"tasks: [{{name: P, type: JointPosition, goal_position: {name}, kp: 1}}]\n"
        )
    )
    state = example_robot(source).split(f'name="{name}"')[1].split("</group_state>")[0]
    written = dict(re.findall(r'name="(\w+)"\s+value="\s*([-\d.eE+]+)\s*"', state))
    position = dict(zip(stack.start.joint_names, stack.start.position.tolist(), strict=True))
    slaves = {coupling.slave for coupling in stack.constraints.couplings}
    own = written.keys() & position.keys() - slaves
    assert len(own) >= 7
    assert {joint: position[joint] for joint in own} == {
        joint: float(written[joint]) for joint in own
    }
    (task,) = stack.tasks.tasks
    goal = dict(zip(task.goal.labels, task.goal.value.tolist(), strict=True))
    assert all(goal[joint] == float(written[joint]) for joint in own)
