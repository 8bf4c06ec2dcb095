"""Parameters of ROS 2 that a node is started with, from rules and files to a controller."""

from pathlib import Path

import pytest

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.configuration.ros_overrides import UnknownRosParameterError, ros_overrides
from controlit_ros.configuration.ros_parameters import ros_parameters
from controlit_ros.nodes.building import load_stack
from controlit_ros.parameters import Access
from controlit_ros.ros_arguments import RosArgumentError, ros_arguments

CONTROLLERS = Path(__file__).parents[1] / "cli" / "controllers"
STILL = CONTROLLERS / "still.yaml"
NODE = "/left/arm/servo"


def found(*words, node=NODE):
    return ros_parameters(ros_arguments(["--ros-args", *words]), node)


def values(*words, node=NODE):
    return found(*words, node=node).values


def test_rules_hold_yaml():
    rules = ("kp:=64", "servo:=[a, b]", "on:=true", "map:={x: {y: 1.5}}", "text:='1'")
    words = [word for rule in rules for word in ("-p", rule)]
    assert values(*words) == {
        "kp": 64, "servo": ["a", "b"], "on": True, "map.x.y": 1.5, "text": "1"
    }  # fmt: skip
    assert values("-p", "/left/arm/servo:kp:=1") == {"kp": 1}
    assert values("-p", "/**:kp:=1", "-p", "/left/*/servo:kp:=2") == {"kp": 2}


def test_a_rule_for_another_node_is_refused():
    with pytest.raises(
        RosArgumentError, match="is for '/arm/servo', this node is '/left/arm/servo"
    ):
        values("-p", "/arm/servo:kp:=1")
    with pytest.raises(RosArgumentError, match=r"found '\[1' for kp, expected YAML"):
        values("-p", "kp:=[1")


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("/**", True), ("/left/arm/servo", True), ("left/arm/servo", True), ("/*/*/servo", True),
        ("/left/**", True), ("/**/servo", True), ("/**/left/arm/servo", True),
        ("/*/servo", False), ("servo", False), ("/left/arm", False), ("/left/arm/serv", False),
        ("/le.t/arm/servo", False),
    ],
)  # fmt: skip
def test_nodes_of_a_file(tmp_path, pattern, fits):
    path = tmp_path / "parameters.yaml"
    path.write_text(f'"{pattern}":\n  ros__parameters: {{kp: 64.0}}\n')
    assert values("--params-file", str(path)) == ({"kp": 64.0} if fits else {})
    assert bool(found("--params-file", str(path)).warnings) is not fits


def test_a_file_of_many_nodes(tmp_path):
    path = tmp_path / "parameters.yaml"
    path.write_text("""\
/**:
  ros__parameters: {use_sim_time: true, Posture: {kp: 1.0, kd: 2.0}}
/left:
  arm:
    servo:
      ros__parameters:
        Posture.kp: 3.0
        servo_clock: {}
/other/servo:
  ros__parameters: {nothing: 1}
""")
    assert values("--params-file", str(path), "-p", "Posture.kd:=4") == {
        "use_sim_time": True, "Posture.kp": 3.0, "Posture.kd": 4, "servo_clock": {}
    }  # fmt: skip


def test_a_file_for_others_is_told(tmp_path):
    path = tmp_path / "parameters.yaml"
    path.write_text("/left/arm/serv: {ros__parameters: {kp: 1}}\n")
    assert found("--params-file", str(path)).warnings == (
        f"{path} holds nothing for /left/arm/servo (did you mean '/left/arm/serv'?)",
    )


@pytest.mark.parametrize("text", ["", "[]", "/**: {kp: 1}", "/**: {ros__parameters: 3}", "a: [1"])
def test_a_file_that_is_none_is_refused(tmp_path, text):
    path = tmp_path / "parameters.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"parameters\.yaml:\d+:\d+: "):
        values("--params-file", str(path))
    with pytest.raises(ConfigurationError, match="there is no such file"):
        values("--params-file", str(tmp_path / "none.yaml"))


@pytest.mark.parametrize("file", ["still.yaml", "hand.yaml"])
def test_what_a_controller_lists_it_can_be_started_with(file):
    path = CONTROLLERS / file
    listed = {
        name: parameter.snapshot()
        for name, parameter in load_stack(path).directory.items()
        if parameter.access is not Access.OUTPUT
    }
    assert "use_sim_time" in listed
    again = load_stack(path, ros_overrides(listed, load_configuration(path)))
    assert {name: again.directory[name].snapshot() for name in listed} == listed


def test_names_of_the_node_and_of_the_file():
    given = {
        "Posture.kp": 50.0, "Posture.priority": 3, "Torso.operational_state": "disable",
        "Far.hold": 0.5, "servo_frequency": 100.0, "parameters.soft_start_time": 0.5,
        "tasks.Idle.kd": 9.0, "Idle.operational_state": "enable",
    }  # fmt: skip
    stack = load_stack(STILL, ros_overrides(given, load_configuration(STILL)))
    assert stack.clock.frequency == 100.0
    assert stack.servo.soft_start_time == 0.5
    for name in ("Posture.priority", "Torso.operational_state", "Far.hold"):
        assert stack.directory[name].snapshot() == given[name]
    assert set(stack.directory["Posture.kp"].snapshot()) == {50.0}
    assert set(stack.directory["Idle.kd"].snapshot()) == {9.0}
    assert stack.directory["Idle.operational_state"].value == "enable"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Postur.kp", "unknown parameter 'Postur.kp' (did you mean 'Posture'"),
        ("servo_freqency", "unknown parameter 'servo_freqency' (did you mean 'servo_frequency'"),
        ("use_sim_tme", "unknown parameter 'use_sim_tme' (did you mean 'use_sim_time'"),
        ("name", "unknown parameter 'name'"),
        ("tasks", "unknown parameter 'tasks'"),
        ("Posture", "unknown parameter 'Posture'"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(name, text):
    with pytest.raises(UnknownRosParameterError) as raised:
        ros_overrides({name: 1}, load_configuration(STILL))
    assert str(raised.value).startswith(text)


def test_the_file_names_the_nearest_of_a_part():
    overrides = ros_overrides({"Posture.max_velocty": 1.0}, load_configuration(STILL))
    with pytest.raises(
        ConfigurationError, match=r"Posture has no parameter 'max_velocty' .*'max_velocity'"
    ):
        load_stack(STILL, overrides)


def test_use_sim_time_chooses_the_clock():
    configuration = load_configuration(STILL)
    assert not load_stack(STILL).directory["use_sim_time"].value
    stack = load_stack(STILL, ros_overrides({"use_sim_time": True}, configuration))
    assert stack.directory["use_sim_time"].value
    assert stack.clock.time_feed is not None
    assert ros_overrides({"use_sim_time": False}, configuration) == {}
    fed = load_configuration(STILL, ros_overrides({"use_sim_time": True}, configuration))
    assert ros_overrides({"use_sim_time": False}, fed) == {"servo_clock.use_sim_time": False}
    with pytest.raises(UnknownRosParameterError, match="found 1, expected true or false"):
        ros_overrides({"use_sim_time": 1}, configuration)


def test_a_simulator_of_our_own_tells_the_time():
    hand = load_configuration(CONTROLLERS / "hand.yaml")
    assert ros_overrides({"use_sim_time": True}, hand)["robot_interface.publish_clock"]
