"""The part of a command line that is for ROS 2."""

import pytest

from controlit_ros.ros_arguments import RosArgumentError, RosOption, assignment, ros_arguments


def test_what_stands_between_the_marks_is_for_ros():
    words = ("run", "a.yaml", "--ros-args", "-p", "kp:=1", "--log-level", "debug", "--", "--quiet")
    found = ros_arguments([*words, "--ros-args", "-r", "__ns:=/left", "--disable-rosout-logs"])
    assert found.ours == ("run", "a.yaml", "--quiet")
    assert found.options == (
        RosOption("--param", "kp:=1"),
        RosOption("--log-level", "debug"),
        RosOption("--remap", "__ns:=/left"),
        RosOption("--disable-rosout-logs"),
    )
    assert found.values("--remap") == ("__ns:=/left",)
    assert ros_arguments(found.words) == found._replace(ours=())
    assert ros_arguments(["run", "a.yaml"]).words == ()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--remaps", "a:=b"), "--ros-args: unknown option '--remaps' (did you mean '--remap'"),
        (("-p",), "--ros-args: found -p at the end, expected a value after it"),
        (("-p", "--"), "--ros-args: found -p at the end, expected a value after it"),
    ],
)
def test_what_means_nothing_is_named(words, text):
    with pytest.raises(RosArgumentError) as raised:
        ros_arguments(["--ros-args", *words])
    assert str(raised.value).startswith(text)


@pytest.mark.parametrize("rule", ["kp", "kp=1", ":=1"])
def test_a_rule_has_two_sides(rule):
    assert assignment("a:b:=c:=d", "-p") == ("a:b", "c:=d")
    with pytest.raises(RosArgumentError, match=r"expected name:=value"):
        assignment(rule, "-p")
