"""Values as people type and read them."""

import math

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from controlit_ros.cli.message_values import message_of
from controlit_ros.cli.output import finite
from controlit_ros.cli.plain_values import read_value, write_flow, write_value
from controlit_ros.interfaces import FieldError

TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)
SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63), st.floats(allow_nan=False), TEXT, st.none()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.from_regex(r"[a-z]{1,6}x", fullmatch=True), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_yaml_of_the_same_value(value):
    yaml = YAML(typ="safe", pure=True)
    assert yaml.load(write_flow(value)) == value
    assert yaml.load(write_value(value)) == value


def test_texts_of_several_lines_stay_readable():
    assert write_value({"text": "a: 1\nb: 2\n"}) == "text: |\n  a: 1\n  b: 2"


def test_not_finite_numbers():
    assert write_flow([math.nan, math.inf, -math.inf]) == "[.nan, .inf, -.inf]"
    assert finite({"a": [math.nan, 1.0], "b": (math.inf,)}) == {"a": [None, 1.0], "b": [None]}


@pytest.mark.parametrize("text", ["[1, 2", "a: b: c", "{", "a: 1\na: 2", "\x00"])
def test_no_yaml_is_a_usage_error(text):
    with pytest.raises(typer.BadParameter):
        read_value(text, "VALUES")


def test_messages_from_maps_lists_and_single_values():
    point = "geometry_msgs/msg/Point"
    assert message_of(point, {"x": 1}) == message_of(point, [1, 0, 0])
    assert message_of("std_msgs/msg/Float64", 2.5).data == 2.5
    assert message_of("std_msgs/msg/Float64MultiArray", [1, 2]).data.tolist() == [1.0, 2.0]
    assert message_of(point, None) == message_of(point, {})


@pytest.mark.parametrize(
    ("type_name", "value", "text"),
    [
        ("geometry_msgs/msg/Point", [1, 2], "found 2 values, expected x, y, z"),
        ("geometry_msgs/msg/Point", 3, "found 3, expected {x: float64"),
        ("geometry_msgs/msg/Point", {"w": 3}, "has no field 'w'"),
        ("std_msgs/msg/Float64", "much", "expected float64"),
    ],
)
def test_values_that_do_not_fit(type_name, value, text):
    with pytest.raises(FieldError, match=text.replace("{", r"\{")):
        message_of(type_name, value)
