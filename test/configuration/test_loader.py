"""load_configuration: what it accepts, where it points, and that it never breaks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from controlit_ros.configuration import (
    Configuration,
    ConfigurationError,
    Location,
    changed,
    configuration_schema,
    load_configuration,
)

TEXT = """\
name: arm
robot_description: <robot name="arm"/>
parameters:
  servo_frequency: 500
  enforce_effort_limits: {elbow: false}
  rotor_inertia: {elbow: 0.2}
robot_interface:
  port: 7
tasks:
  - name: Hand
    type: CartesianPosition
    kp: 64
    goal_position: [0.1, 0.2, 1e-3]
  - {name: Posture, type: JointPosition, goal_position: {elbow: 1}}
constraints:
  - {name: Base, type: FlatContact, body: base_link}
compound_task:
  - {name: Hand, priority: 1}
bindings:
  - parameter: Hand.goal_position
    direction: input
    topic: hand/goal
    properties:
      - publish_rate: 30
      - latched: true
events:
  - {name: Near, expression: Hand.error_norm < 0.01}
"""


def problems(text, overrides=None):
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(text, overrides)
    return caught.value.problems


def messages(text, overrides=None):
    return [f"{p.path}: {p.message}" for p in problems(text, overrides)]


def found_in(text, overrides=None):
    """Load what may be right or wrong; any other exception is a failure."""
    try:
        load_configuration(text, overrides)
    except ConfigurationError as error:
        return error.problems or pytest.fail("an error without problems")
    return ()


@pytest.fixture(name="arm", scope="module")
def load_arm():
    return load_configuration(TEXT)


def test_content(arm):
    assert arm.name == "arm"
    assert arm.parameters.servo_frequency == 500.0
    assert arm.parameters.enforce_effort_limits == {"elbow": False}
    assert arm.parameters.world_gravity == (0.0, 0.0, -9.81)
    assert arm.robot_interface == {"port": 7}
    assert arm.tasks[0].parameters == {"kp": 64, "goal_position": [0.1, 0.2, 0.001]}
    assert arm.tasks[1].parameters["goal_position"] == {"elbow": 1}
    assert arm.bindings[0].transport_type == "topic"
    assert arm.bindings[0].properties.publish_rate == 30.0
    assert arm.bindings[0].properties.latched
    assert arm.events[0].expression == "Hand.error_norm < 0.01"
    assert arm.read_robot_description().urdf == '<robot name="arm"/>'


def test_what_is_declared_but_not_listed_is_disabled_with_a_warning(arm):
    posture = arm.compound_task[1]
    assert (posture.name, posture.priority, posture.operational_state) == ("Posture", 0, "disable")
    assert arm.constraint_set[0].operational_state == "disable"
    assert len(arm.warnings) == 2
    assert arm.warnings[0].startswith("14:5: tasks[1]: 'Posture' is declared but not listed")


@pytest.mark.parametrize(
    ("path", "location"),
    [
        (("name",), (1, 1)),
        (("parameters", "servo_frequency"), (4, 3)),
        (("parameters", "enforce_effort_limits", "elbow"), (5, 27)),
        (("tasks", 0), (10, 5)),
        (("tasks", 0, "kp"), (12, 5)),
        (("tasks", 0, "goal_position", 2), (13, 31)),
        (("tasks", 0, "kd"), (10, 5)),
        (("tasks", 1, "goal_position", "elbow"), (14, 58)),
        (("bindings", 0, "properties", "latched"), (25, 9)),
        (("servo_clock", "spin"), (3, 1)),
        ((), (1, 1)),
    ],
)
def test_locations(arm, path, location):
    assert arm.locate(path) == Location(*location)


def test_later_stages_report_at_the_line(arm):
    collector = arm.collector()
    collector.raise_if_any()
    collector.add(("tasks", 1, "goal_position", "elbow"), "unknown joint")
    collector.add(("tasks", 0, "kp"), "too small")
    with pytest.raises(ConfigurationError) as caught:
        collector.raise_if_any()
    assert str(caught.value).splitlines() == [
        "<text>:12:5: tasks[0].kp: too small",
        "<text>:14:58: tasks[1].goal_position.elbow: unknown joint",
    ]


def test_a_collector_raises_at_the_end_of_its_block(arm):
    def report(then):
        with arm.collector() as collector:
            collector.add((), "wrong")
            then()

    reached = []
    with pytest.raises(ConfigurationError):
        report(lambda: reached.append(True))
    assert reached
    with pytest.raises(ZeroDivisionError):
        report(lambda: 1 / 0)
    with arm.collector():
        pass


def test_a_configuration_is_frozen(arm):
    with pytest.raises(ValidationError):
        arm.name = "leg"
    with pytest.raises(TypeError):
        arm.tasks[0].parameters["kp"] = 3


def test_a_file(tmp_path):
    (tmp_path / "arm.urdf").write_text("<robot/>", encoding="utf-8")
    path = tmp_path / "arm.yaml"
    path.write_text(TEXT.replace('<robot name="arm"/>', "arm.urdf"), encoding="utf-8")
    for given_path in (path, str(path)):
        configuration = load_configuration(given_path)
        assert configuration.source == str(path)
        assert configuration.read_robot_description().path == tmp_path / "arm.urdf"


def test_overrides_replace_and_are_checked_like_the_file():
    configuration = load_configuration(
        TEXT,
        {
            "servo_frequency": np.float64(250),
            "world_gravity": np.array([0.0, 0.0, -1.62]),
            "name": "leg",
            "robot_interface.port": 9,
            "servo_clock.spin": 0.5,
        },
    )
    assert configuration.name == "leg"
    assert configuration.parameters.servo_frequency == 250.0
    assert configuration.parameters.world_gravity[2] == -1.62
    assert configuration.robot_interface == {"port": 9}
    assert configuration.servo_clock == {"spin": 0.5}


def test_overrides_reach_the_entries_of_lists_by_their_names():
    configuration = load_configuration(
        TEXT,
        {
            "tasks.Hand.kp": 100,
            "tasks.Posture.goal_position": {"elbow": 2},
            "constraints.Base.body": "hip",
            "compound_task.Hand.priority": 3,
            "events.Near.enabled": False,
            "bindings.hand/goal.direction": "output",
        },
    )
    hand, posture = configuration.tasks
    assert dict(hand.parameters) == {"kp": 100, "goal_position": [0.1, 0.2, 1e-3]}
    assert dict(posture.parameters) == {"goal_position": {"elbow": 2}}
    assert configuration.constraints[0].parameters["body"] == "hip"
    assert configuration.compound_task[0].priority == 3
    assert configuration.events[0].enabled is False
    assert configuration.bindings[0].direction == "output"


def test_overrides_reach_into_maps():
    text = TEXT.replace(
        "tasks:", "simulator: {initial_position: &start {elbow: 1, wrist: 2}}\ntasks:"
    )
    text = text.replace("goal_position: {elbow: 1}", "goal_position: *start", 1)
    configuration = load_configuration(
        text,
        {
            "tasks.Posture.goal_position.elbow": 0.3,
            "rotor_inertia.elbow": 0.02,
            "parameters.rotor_inertia.wrist": 0.01,
            "tasks.Hand.law.x.y": 5,
        },
    )
    hand, posture = configuration.tasks
    assert posture.parameters["goal_position"] == {"elbow": 0.3, "wrist": 2}
    assert configuration.simulator == {"initial_position": {"elbow": 1, "wrist": 2}}
    assert configuration.parameters.rotor_inertia == {"elbow": 0.02, "wrist": 0.01}
    assert hand.parameters["law"] == {"x": {"y": 5}}


@pytest.mark.parametrize(
    ("nested", "flat"),
    [
        ({"servo_clock": {"spin": 0.5}}, {"servo_clock.spin": 0.5}),
        ({"parameters": {"servo_frequency": 250.0}}, {"servo_frequency": 250.0}),
        ({"parameters.servo_frequency": 250.0}, {"servo_frequency": 250.0}),
        (
            {"tasks": {"Hand": {"kp": 9}, "Posture": {"goal_position": {"elbow": 2}}}},
            {"tasks.Hand.kp": 9, "tasks.Posture.goal_position": {"elbow": 2}},
        ),
        ({"tasks.Hand": {"kp": 9}}, {"tasks.Hand.kp": 9}),
        (
            {"simulator": {"initial_position": {"elbow": 1}, "timestep": 0.002}},
            {"simulator.initial_position": {"elbow": 1}, "simulator.timestep": 0.002},
        ),
        (
            {"modes": {"initial": "on", "states": [{"name": "on", "tasks": ["Hand"]}]}},
            {"modes.initial": "on", "modes.states": [{"name": "on", "tasks": ["Hand"]}]},
        ),
    ],
)
def test_overrides_of_a_section_equal_those_of_its_keys(nested, flat):
    expected = load_configuration(TEXT, flat)
    assert expected != load_configuration(TEXT)
    assert load_configuration(TEXT, nested) == expected
    assert changed(load_configuration(TEXT), nested) == expected


@pytest.mark.parametrize("value", [3, [], [{"name": "Hand"}], None, "kp"])
def test_overrides_that_replace_a_whole_section_are_refused(value):
    found = messages(TEXT, {"simulator": value, "tasks": value})
    assert any("in place of the section, expected a map {KEY: value}" in m for m in found)
    assert any("in place of the section, expected a map {NAME: {KEY: value}}" in m for m in found)


def test_overrides_into_what_is_no_map_are_refused():
    found = messages(TEXT, {"tasks.Hand.goal_position.x": 1.0})
    assert found == [
        "tasks.Hand.goal_position.x: found [0.1, 0.2, 0.001], expected a map to set 'x' in"
    ]


def test_overrides_of_what_is_not_there_name_what_is_near():
    found = messages(TEXT, {"tasks.Hnad.kp": 1, "constraints.Base": 2})
    assert len(found) == 2
    assert any("no entry of tasks with the name 'Hnad' (did you mean 'Hand'?)" in m for m in found)
    assert any("found constraints.Base, expected constraints.Base.KEY" in m for m in found)


def test_wrong_overrides_say_where_they_come_from():
    found = messages(TEXT, {"servo_frequency": -3, "servo_frequenzy": 1, "name": "a-b"})
    assert all(message.endswith("(set from outside the file)") for message in found)
    assert any("unknown key 'servo_frequenzy'" in message for message in found)
    assert len(found) == 3


def test_all_problems_at_once_in_the_order_of_the_file():
    text = TEXT.replace("500", "-5").replace("CartesianPosition", "Cartesian").replace("30", "a")
    found = problems(text + "  - {name: Hand}\n")
    assert [problem.line for problem in found] == [4, 11, 24, 28, 28]
    assert found == tuple(sorted(found))


def test_a_problem_reads_like_a_compiler_message(tmp_path):
    path = tmp_path / "hands.yaml"
    path.write_text(TEXT.replace("CartesianPosition", "CartesianPositon"), encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(path)
    assert str(caught.value).startswith(
        f"{path}:11:5: tasks[0].type: found 'CartesianPositon', expected a task type "
        "(did you mean 'CartesianPosition'"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("name: Hand\n", "name: servo_clock\n"), "'servo_clock' is a part of every controller"),
        (("name: Near", "name: Base"), "'Base' is taken by constraints in line 16"),
        (("{name: Hand, priority: 1}", "{name: Hand, priority: 1.0}"), "expected an integer"),
        (("{name: Hand, priority: 1}", "{name: Hand, priority: true}"), "found true, expected"),
        (
            ("- {name: Hand, priority: 1}", "- &a {name: Hand, priority: 1}\n  - *a"),
            "'Hand' is listed twice, first in line 18",
        ),
        (("latched: true", "publish_rate: 3"), "the property 'publish_rate' is given twice"),
        (("latched: true", "latched: 1"), "found 1, expected true or false"),
        (("- latched: true", "- latched"), "found 'latched', expected `key: value`"),
        (("{elbow: false}", "{elbow: 0}"), "one value for all joints, a list in joint order"),
        (("{elbow: 0.2}", "{elbow: -0.2}"), "rotor_inertia.elbow: found -0.2"),
        (("{elbow: 0.2}", "{elbow: .inf}"), "expected a finite number"),
        (("port: 7", "port: !secret 7"), "found the tag !secret"),
        (("  port: 7", "  - 7"), "robot_interface: found [7], expected a map"),
        (("expression: Hand.error_norm < 0.01", "expression: ''"), "a text that is not empty"),
        (('<robot name="arm"/>', "ftp://arm"), "expected package://, file://"),
        (('<robot name="arm"/>', "3"), "found 3, expected a text"),
        (('<robot name="arm"/>', "."), "cannot be read"),
        (("topic: hand/goal", "topic: hand__goal"), "expected a ROS topic"),
        (("    properties:", "    transport_type: tpoic\n    properties:"), "binding factory type"),
        (
            ("servo_frequency: 500", "parameter_binding_factories: []\n  servo_frequency: 500"),
            None,
        ),
    ],
)
def test_mistakes(change, message):
    assert change[0] in TEXT
    text = TEXT.replace(*change, 1)
    if message is None:
        load_configuration(text)
    else:
        assert any(message in found for found in messages(text))


def test_bindings_need_a_listed_factory_and_are_not_repeated():
    entry = "{parameter: Hand.kp, direction: output, topic: kp, transport_type: topic}"
    text = TEXT.replace("events:", f"  - {entry}\n  - {entry}\nevents:")
    text = text.replace("parameters:", "parameters:\n  parameter_binding_factories: []", 1)
    found = messages(text)
    assert sum("not among parameter_binding_factories" in message for message in found) == 2
    assert any("repeats the binding in line 27" in message for message in found)


def test_a_constraint_set_may_repeat_the_type_but_not_change_it():
    text = TEXT + "constraint_set: [{name: Base, type: FlatContact}]\n"
    assert load_configuration(text).constraint_set[0].operational_state == "enable"
    (found,) = messages(text.replace("Base, type: FlatContact}]", "Base, type: PointContact}]"))
    assert "found 'PointContact', but 'Base' is declared as 'FlatContact'" in found


def test_anchors_and_merges_share_gains():
    text = """\
name: arm
robot_description: <robot/>
tasks:
  - &hand {name: Left, type: CartesianPosition, kp: 64, kd: 16}
  - {<<: *hand, name: Right, kd: 20}
compound_task: [{name: Left, priority: 1}, {name: Right, priority: 1}]
"""
    configuration = load_configuration(text)
    assert configuration.tasks[1].parameters == {"kp": 64, "kd": 20}
    assert configuration.locate(("tasks", 1, "kp")) == Location(4, 49)
    assert configuration.locate(("tasks", 1, "kd")).line == 5


def test_sections_whose_entries_are_commented_out_are_empty():
    text = "name: arm\nrobot_description: <robot/>\ntasks:\nparameters:\nbindings:\nevents:\n"
    configuration = load_configuration(text)
    assert configuration.tasks == configuration.bindings == ()


def lists_of_aliases(opening, closing):
    lines = [f"a: &a {opening[0]}x: 1{closing[-1]}" if "{" in opening else "a: &a [1, 2, 3]"]
    for i in range(1, 20):
        aliases = ", ".join([f"*{chr(96 + i)}"] * 9)
        lines.append(f"{chr(97 + i)}: &{chr(97 + i)} {opening}{aliases}{closing}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty file"),
        ("\n", "an empty file"),
        ("# only a comment\n", "an empty file"),
        ("- a\n- b\n", "expected a map"),
        ("just text\nover lines\n", "expected a map"),
        ("\0\n", "control character"),
        ("a: 1\n---\nb: 2\n", "single document"),
        ("a: *b\n", "undefined alias"),
        ("a: &x [*x]\n", "contains itself"),
        ("a: &x {<<: *x}\n", "contains itself"),
        ("<<: 3\n", "expected one to merge"),
        ("[" * 3000 + "\n", "nested deeper than 32"),
        ("a: " + "[" * 40 + "]" * 40 + "\n", "nested deeper than 32"),
        ("? [1, 2]\n: 3\n", "as key, expected a name"),
        ("a: !!python/object/apply:os.system [x]\n", "found the tag"),
        ("a: 1\nb: [" + "!" * (1 << 19) + "]\n", "found the tag"),
        pytest.param("[" * (1 << 19) + "\n", "nested deeper than 32", marks=pytest.mark.thorough),
        pytest.param("- a\n" * (1 << 17), "more than 10000 entries", marks=pytest.mark.thorough),
        ("a: !!int x\n", "expected a value of type"),
        ("a: " + "9" * 5000 + "\n", "expected a value of type"),
        ("a: " + "x" * (1 << 20) + "\n", "characters, expected at most"),
        (lists_of_aliases("[", "]"), "more than 10000 entries"),
        (lists_of_aliases("{<<: [", "]}"), "more than 10000 entries"),
    ],
)
def test_texts_that_are_no_configuration(text, message):
    found = messages(text)
    assert any(message in problem for problem in found), found


def test_files_that_cannot_be_read(tmp_path):
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"name: a\n\xff\xfe\x00")
    assert "no UTF-8 text in line 2" in messages(binary)[0]
    assert "no such file" in messages(tmp_path / "absent.yaml")[0]
    assert "cannot be read" in messages(tmp_path)[0]
    assert "cannot be read" in messages("nul\0byte")[0]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "type", "priority", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    overrides=st.dictionaries(
        st.sampled_from([*Configuration.model_fields, "servo_frequency", "parameters.log_level"]),
        VALUES,
        max_size=3,
    )
)
def test_any_override_is_taken_or_refused_with_a_message(overrides):
    assert all(problem.message for problem in found_in(TEXT, overrides))


@given(
    lines=st.permutations(TEXT.splitlines()),
    kept=st.integers(0, 30),
    junk=st.text(alphabet="[]{}:,-&*!|>'\"%@`# \tab1\n", max_size=12),
)
def test_torn_files_are_taken_or_refused_with_a_message(lines, kept, junk):
    text = "\n".join([*lines[:kept], junk, *lines[kept:]])
    assert all(problem.line >= 1 and problem.column >= 1 for problem in found_in(text))


def test_schema_documents_every_parameter():
    schema = configuration_schema()
    parameters = schema["$defs"]["ControllerParameters"]["properties"]
    assert all(entry.get("description") for entry in parameters.values())
    assert parameters["servo_frequency"]["unit"] == "Hz"
    assert parameters["servo_frequency"]["minimum"] == 1
    assert parameters["state_timeout"]["default"] == 0.05
    assert schema["properties"]["tasks"]["items"]["$ref"] == "#/$defs/TaskEntry"
    assert "unit" in schema["$defs"]["BindingProperties"]["properties"]["publish_rate"]


def test_values_of_a_configuration_survive_a_round_trip(arm):
    again = Configuration.model_validate(arm.model_dump())
    assert again.model_dump() == arm.model_dump()


@pytest.mark.parametrize("frequency", [1e-300, 1e-9, 0.99, 10_001.0])
def test_a_servo_of_no_use_is_refused(frequency):
    """With 1e-300 Hz a simulation in simulated time would step for ever within one cycle."""
    (told,) = messages(TEXT, {"servo_frequency": frequency})
    assert "servo_frequency" in told
    assert "[Hz]" in told


DOTTED = """
name: dotted
robot_description: >-
  <robot name="r"><link name="a.base"/>{}
  </robot>
tasks: [{{name: Posture, type: JointPosition, goal_position: {{a.j1: 0.1}}}}]
compound_task: [{{name: Posture, priority: 0}}]
""".format(
    "".join(
        f'<link name="{name}.l"/><joint name="{name}" type="continuous">'
        f'<parent link="a.base"/><child link="{name}.l"/></joint>'
        for name in ("a", "a.j1", "a.j1.x", "a b", "é.ü", "a/b")
    )
)


@pytest.mark.parametrize("joint", ["a", "a.j1", "a.j1.x", "a b", "é.ü", "a/b"])
def test_an_override_finds_joints_with_points_in_their_names(joint):
    """Of joints of which one begins like another, the longest counts."""
    key = f"tasks.Posture.goal_position.{joint}"
    goal = load_configuration(DOTTED, {key: 0.3}).tasks[0].parameters["goal_position"]
    assert goal == {"a.j1": 0.1, joint: 0.3}
    inertia = load_configuration(DOTTED, {f"rotor_inertia.{joint}": 0.3}).parameters.rotor_inertia
    assert inertia == {joint: 0.3}


def test_an_override_of_an_unknown_joint_is_one_name():
    text = DOTTED.replace('name="a"', 'name="b"')
    found = load_configuration(text, {"tasks.Posture.goal_position.a.j9": 0.3})
    assert found.tasks[0].parameters["goal_position"] == {"a.j1": 0.1, "a.j9": 0.3}
