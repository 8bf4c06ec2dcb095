"""MessageForm: the same bytes as of messages that are made and encoded one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import encode, new

JOINT_STATE = "sensor_msgs/msg/JointState"
TRANSFORM = "geometry_msgs/msg/TransformStamped"
POINT = "geometry_msgs/msg/Point"
STAMPS = st.floats(0.0, 2.0**31 - 1.0)
NUMBERS = st.lists(st.floats(), min_size=7, max_size=7)


def joint_state(values, stamp):
    return new(
        JOINT_STATE,
        header={"stamp": time_fields(stamp), "frame_id": "base"},
        name=["one", "and another"],
        effort=values[:5],
        position=values[5:],
    )


def transform(values, stamp):
    return new(
        TRANSFORM,
        header={"stamp": time_fields(stamp)},
        child_frame_id="hand",
        transform={
            "translation": dict(zip("xyz", values[4:].tolist(), strict=True)),
            "rotation": dict(zip("xyzw", values[:4].tolist(), strict=True)),
        },
    )


def alone(message):
    return encode(message.__type_name__, message)


@pytest.mark.parametrize("make", [joint_state, transform])
@given(rows=st.lists(st.tuples(NUMBERS, STAMPS), min_size=1, max_size=3))
def test_it_is_what_each_message_alone_would_be(make, rows):
    form = MessageForm(make, 7)
    for numbers, stamp in rows:
        values = np.array(numbers)
        assert bytes(form.encode(values, stamp)) == alone(make(values, stamp))


def test_what_ends_in_the_middle_of_a_number_is_no_longer():
    def make(values, _stamp):
        return new(JOINT_STATE, name=["joint"], position=values)  # and nothing of two more arrays

    values = np.array([0.1])
    assert bytes(MessageForm(make, 1).encode(values, 1.0)) == alone(make(values, 1.0))


def test_a_row_of_no_numbers_is_the_same_message_each_time():
    form = MessageForm(lambda _values, _stamp: new(POINT, x=1.0), 0)
    assert bytes(form.encode(np.zeros(0), 2.0)) == alone(new(POINT, x=1.0))


@pytest.mark.parametrize("count", [0, 6, 8])
def test_as_many_numbers_as_it_has_are_written(count):
    form = MessageForm(joint_state, 7)
    with pytest.raises(ValueError, match=f"found {count} numbers, expected 7"):
        form.encode(np.zeros(count), 1.0)


@pytest.mark.parametrize(
    "fields",
    [
        lambda values: {"x": 2.0 * values[0], "y": values[1]},
        lambda values: {"x": values[0], "y": values[0], "z": values[1]},
        lambda values: {"x": values[0]},
    ],
)
def test_what_does_more_than_copy_is_refused(fields):
    form = MessageForm(lambda values, _stamp: new(POINT, **fields(values)), 2)
    for _ in range(2):
        with pytest.raises(ValueError, match="each of its numbers once"):
            form.encode(np.zeros(2), 0.0)


def test_it_is_made_once():
    made = []

    def make(values, _stamp):
        made.append(values)
        return new(POINT, x=values[0])

    form = MessageForm(make, 1)
    for number in range(5):
        form.encode(np.array([float(number)]), 0.0)
    assert len(made) == 1
