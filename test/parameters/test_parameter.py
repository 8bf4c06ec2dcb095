"""Parameter: what it accepts, what it refuses, and what it leaves as it is."""

import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_memory import kept_memory

from controlit_ros.parameters import Access, Kind, Parameter, ParameterError

JOINTS = ("shoulder", "elbow", "wrist")


def vector(**properties):
    return Parameter("goal", [1.0, 2.0, 3.0], owner="Hand", shape=(3,), **properties)


def scalar(kind, default, **properties):
    return Parameter("value", default, owner="Hand", kind=kind, **properties)


def test_full_name_and_repr():
    assert vector().full_name == "Hand.goal"
    assert Parameter("alone", 1.0).full_name == "alone"
    assert repr(vector()) == "Parameter('Hand.goal', [1.0, 2.0, 3.0])"


@pytest.mark.parametrize(
    ("kind", "default", "value", "expected"),
    [
        (Kind.FLOAT, 0.0, 3, 3.0),
        (Kind.FLOAT, 0.0, np.float32(0.5), 0.5),
        (Kind.FLOAT, 0.0, np.array([2.5]), 2.5),
        (Kind.FLOAT, 0.0, np.array(2), 2.0),
        (Kind.INTEGER, 0, np.int64(7), 7),
        (Kind.INTEGER, 0, 2**53 + 1, 2**53 + 1),
        (Kind.BOOLEAN, False, np.bool_(True), True),
        (Kind.TEXT, "", "words", "words"),
    ],
)
def test_scalars_become_plain_python(kind, default, value, expected):
    parameter = scalar(kind, default)
    parameter.set(value)
    assert parameter.value == expected
    assert type(parameter.value) is type(expected)


@pytest.mark.parametrize(
    ("kind", "default", "value"),
    [
        (Kind.FLOAT, 0.0, True),
        (Kind.FLOAT, 0.0, np.bool_(True)),
        (Kind.FLOAT, 0.0, "1"),
        (Kind.FLOAT, 0.0, None),
        (Kind.FLOAT, 0.0, math.nan),
        (Kind.FLOAT, 0.0, -math.inf),
        (Kind.FLOAT, 0.0, 10**400),
        (Kind.FLOAT, 0.0, 1j),
        (Kind.FLOAT, 0.0, [1.0]),
        (Kind.FLOAT, 0.0, np.array(["1"])),
        (Kind.FLOAT, 0.0, np.array(["x"])),
        (Kind.FLOAT, 0.0, np.array([True])),
        (Kind.FLOAT, 0.0, np.array([1j])),
        (Kind.FLOAT, 0.0, np.array([1.0, 2.0])),
        (Kind.INTEGER, 0, True),
        (Kind.INTEGER, 0, 1.0),
        (Kind.INTEGER, 0, "1"),
        (Kind.INTEGER, 0, 10**400),
        (Kind.BOOLEAN, False, 1),
        (Kind.BOOLEAN, False, "true"),
        (Kind.TEXT, "", 1),
        (Kind.TEXT, "", b"bytes"),
        (Kind.TEXT, "", None),
    ],
)
def test_wrong_scalars_are_refused(kind, default, value):
    parameter = scalar(kind, default)
    with pytest.raises(ParameterError, match=r"Hand\.value: found .*, expected "):
        parameter.set(value)
    assert parameter.value == default
    assert not parameter.stated


@pytest.mark.parametrize(
    "value",
    [
        [1, 2],
        [1, 2, 3, 4],
        [[1, 2, 3]],
        5.0,
        "123",
        ["1", "2", "3"],
        [1, "2", 3],
        [1, None, 3],
        [1, math.nan, 3],
        [1, math.inf, 3],
        [True, 0, 0],
        [True, False, True],
        [1, np.bool_(True), 3],
        [1, [2], 3],
        [1, 10**400, 3],
        [1j, 0, 0],
        {1, 2, 3},
        {"x": 1},
        {},
        None,
        object(),
        iter([1, 2, 3]),
        np.array([True, True, True]),
    ],
)
def test_wrong_vectors_are_refused(value):
    parameter = vector()
    with pytest.raises(ParameterError, match=r"Hand\.goal: found .*, expected 3 finite numbers"):
        parameter.set(value)
    assert parameter.snapshot() == [1.0, 2.0, 3.0]


def test_the_memory_of_a_vector_never_moves():
    parameter = vector(labels=JOINTS)
    memory = parameter.value
    parameter.set([4, 5, 6])
    parameter.set({"elbow": 7})
    assert parameter.value is memory
    assert memory.tolist() == [4.0, 7.0, 6.0]


def test_validation_copies():
    parameter = vector()
    source = np.array([1.0, 1.0, 1.0])
    valid = parameter.validate(source)
    source[:] = 9.0
    parameter.assign(valid)
    assert parameter.snapshot() == [1.0, 1.0, 1.0]


def test_bounds_are_inclusive_and_named():
    parameter = scalar(Kind.FLOAT, 0.5, lower=0.0, upper=1.0, unit="m")
    parameter.set(0.0)
    parameter.set(1)
    with pytest.raises(
        ParameterError, match=re.escape("(too large), expected a finite number [m]")
    ):
        parameter.set(1.0000001)
    with pytest.raises(ParameterError, match="too small"):
        vector(lower=-1.0).set([0, 0, -2])
    with pytest.raises(ParameterError, match="too small"):
        scalar(Kind.INTEGER, 1, lower=1).set(0)


def test_wrong_defaults_are_refused():
    with pytest.raises(ParameterError):
        scalar(Kind.INTEGER, 0.5)


def test_one_number_for_all():
    parameter = Parameter("kp", 60, shape=(3,), broadcast=True, lower=0)
    assert parameter.snapshot() == [60.0] * 3
    parameter.set(64)
    assert parameter.snapshot() == [64.0] * 3
    with pytest.raises(ParameterError):
        parameter.set(True)
    with pytest.raises(ParameterError):
        parameter.set([64])


def test_one_boolean_for_all():
    parameter = Parameter("mask", True, kind=Kind.BOOLEAN, shape=(3,), broadcast=True)
    assert parameter.value == (True, True, True)


def test_a_map_names_entries_and_leaves_the_others():
    parameter = vector(labels=JOINTS)
    parameter.set({"wrist": 9, "shoulder": np.int32(8)})
    assert parameter.snapshot() == [8.0, 2.0, 9.0]
    parameter.set({})
    assert parameter.snapshot() == [8.0, 2.0, 9.0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"elbo": 1}, r"unknown name 'elbo' \(did you mean 'elbow'\?\)"),
        ({3: 1}, "unknown name 3"),
        ({"elbow": "1"}, "for elbow"),
        ({"elbow": True}, "for elbow"),
        ({"elbow": math.nan}, "not finite"),
        ({"elbow": 10**400}, "too large"),
        ({"elbow": -5}, "too small"),
    ],
)
def test_wrong_maps_are_refused_as_a_whole(value, message):
    parameter = vector(labels=JOINTS, lower=0)
    with pytest.raises(ParameterError, match=message):
        parameter.set({"wrist": 9, **value})
    assert parameter.snapshot() == [1.0, 2.0, 3.0]


def test_two_maps_validated_together_do_not_undo_each_other():
    parameter = vector(labels=JOINTS)
    first, second = parameter.validate({"elbow": 7}), parameter.validate({"wrist": 8})
    parameter.assign(first)
    parameter.assign(second)
    assert parameter.snapshot() == [1.0, 7.0, 8.0]


def test_directions_are_normalised():
    parameter = Parameter("body_vector", [1, 0, 0], shape=(3,), unit_length=True)
    parameter.set([0, 3, 4])
    np.testing.assert_allclose(parameter.value, [0, 0.6, 0.8])
    with pytest.raises(ParameterError, match="no direction"):
        parameter.set([0, 0, 1e-12])


def test_texts_out_of_choices():
    parameter = scalar(Kind.TEXT, "hold", choices=("hold", "zero_effort"))
    with pytest.raises(ParameterError, match=r"did you mean 'zero_effort'\?"):
        parameter.set("zero_efort")


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Kind.TEXT, ["a", "b"], ("a", "b")),
        (Kind.TEXT, (), ()),
        (Kind.BOOLEAN, np.array([True, False]), (True, False)),
        (Kind.INTEGER, np.array([1, 2]), (1, 2)),
    ],
)
def test_lists_of_free_length(kind, value, expected):
    parameter = Parameter("names", [], kind=kind, shape=(None,))
    parameter.set(value)
    assert parameter.value == expected
    assert parameter.snapshot() == list(expected)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Kind.TEXT, "abc"),
        (Kind.TEXT, ["a", 1]),
        (Kind.TEXT, {"a": 1}),
        (Kind.TEXT, np.array(3.0)),
        (Kind.INTEGER, b"ab"),
        (Kind.INTEGER, [True]),
        (Kind.BOOLEAN, [1]),
        (Kind.BOOLEAN, None),
    ],
)
def test_wrong_lists_are_refused(kind, value):
    with pytest.raises(ParameterError):
        Parameter("names", [], kind=kind, shape=(None,)).set(value)


def test_outputs_cannot_be_set_but_assigned():
    parameter = scalar(Kind.FLOAT, 0.0, access=Access.OUTPUT)
    with pytest.raises(ParameterError, match="output"):
        parameter.set(1.0)
    parameter.assign(np.float64(2.0))
    assert type(parameter.snapshot()) is float


def test_revision_counts_assignments_and_stated_tells_who_set():
    parameter = scalar(Kind.FLOAT, 0.0)
    before = parameter.revision
    parameter.assign(1.0)
    assert parameter.revision == before + 1
    assert not parameter.stated
    parameter.set(2.0)
    assert parameter.stated
    assert parameter.default == 0.0


def test_long_values_are_cut_in_messages():
    with pytest.raises(ParameterError) as caught:
        vector().set(list(range(1000)))
    assert len(str(caught.value)) < 250


def test_assigning_a_vector_allocates_nothing():
    parameter = vector()
    value = parameter.validate([4, 5, 6])
    parameter.assign(value)

    def play():
        for _ in range(100):
            parameter.assign(value)

    assert kept_memory(play) < 200


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.dates()
    | st.sampled_from([10**400, np.float64("nan"), np.array([1, 2, 3]), np.array("x"), object]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner, inner)
        | st.dictionaries(st.sampled_from(JOINTS) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    value=ANYTHING,
    kind=st.sampled_from(Kind),
    shape=st.sampled_from([(), (3,), (None,)]),
    broadcast=st.booleans(),
)
def test_any_value_is_taken_or_refused_with_a_message(value, kind, shape, broadcast):
    default = {Kind.FLOAT: 0.0, Kind.INTEGER: 0, Kind.BOOLEAN: False, Kind.TEXT: ""}[kind]
    parameter = Parameter(
        "value",
        [default] * (shape[0] or 0) if shape else default,
        kind=kind,
        shape=shape,
        labels=JOINTS,
        broadcast=broadcast,
    )
    before = parameter.snapshot()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parameter.set(value)
    except ParameterError:
        assert parameter.snapshot() == before
        return
    entries = parameter.snapshot() if shape else [parameter.snapshot()]
    plain = {Kind.FLOAT: float, Kind.INTEGER: int, Kind.BOOLEAN: bool, Kind.TEXT: str}[kind]
    assert all(type(entry) is plain for entry in entries)
    assert kind is Kind.TEXT or all(math.isfinite(entry) for entry in entries)


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_a_number_is_good_for_a_vector_of_one(shape):
    parameter = Parameter("height", np.ones(shape), shape=shape, unit="m", lower=0.0)
    parameter.set(2)
    assert parameter.value.shape == shape
    assert parameter.value.item() == 2.0
    parameter.set([3.0] if shape == (1,) else [[3.0]])
    assert parameter.value.item() == 3.0
    for wrong in (True, "1", math.nan, -1.0, [1.0, 2.0], [], None):
        with pytest.raises(ParameterError, match="expected a finite number"):
            parameter.set(wrong)


@pytest.mark.parametrize(
    ("kind", "default", "value"), [(Kind.TEXT, ("a",), "b"), (Kind.INTEGER, (1,), 2)]
)
def test_so_is_one_entry_for_a_list_of_one(kind, default, value):
    parameter = scalar(kind, default, shape=(1,))
    parameter.set(value)
    assert parameter.value == (value,)


def test_a_number_is_none_for_a_vector_of_more():
    with pytest.raises(ParameterError, match="expected 3 finite numbers"):
        vector().set(1.0)
