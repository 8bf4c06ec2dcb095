"""plain_value: what is read quickly is what YAML says it is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.client import ClientError
from controlit_ros.client.plain_value import plain_value
from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.introspection.flow_text import flow_text

SCALARS = st.one_of(
    st.floats(), st.integers(-(10**18), 10**18), st.booleans(), st.text(max_size=20), st.none()
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=6), st.lists(st.lists(SCALARS, max_size=2)))
ODD = (
    "[]", "[1,2]", "[1, 2,]", "010", "0x10", "1_000", "1e3", "1.", ".5", "-", "[...]",
    "~", "null", "[null, true]", "Yes", "-.inf", "[.nan, 1.5]", "a: b", "[a: b]", "2026-11-25", "",
    "' x'", "1e-06", "-2e+10", "0e-1", "1.5e+300", "1.5e+999", "[[1, 2], [3, 4]]", "9" * 40,
)  # fmt: skip


def same(found, expected):
    if isinstance(expected, list):
        pairs = zip(found, expected, strict=True)
        return isinstance(found, list) and all(same(*pair) for pair in pairs)
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(found)
    return type(found) is type(expected) and found == expected


@given(VALUES)
def test_what_a_controller_writes_is_read_as_yaml_is(value):
    text = flow_text(value)
    assert same(plain_value(text), read_yaml(text).data)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_read_as_yaml_is(text):
    assert same(plain_value(text), read_yaml(text).data)


@pytest.mark.parametrize(
    "text", ["[1, 2", "...", "a: b: c", "[" * 40 + "]" * 40, f"[{'1, ' * 10_001}1]"]
)
def test_what_is_no_value_is_refused(text):
    with pytest.raises(ClientError, match="expected YAML"):
        plain_value(text)


@pytest.mark.parametrize("text", ["[]", "[true, 1.5]", "[[1.5], [2.5]]"])
def test_a_list_is_nobody_elses(text):
    before = list(plain_value(text))
    plain_value(text).append(2)
    assert plain_value(text) == before
