"""Numbers of robot descriptions: those of XML Schema that are finite, and no others of Python's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.xml_numbers import xml_numbers

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(numbers=st.lists(NUMBERS), space=st.sampled_from([" ", "\n", "\t  "]))
def test_what_was_written_is_read(numbers, space):
    assert xml_numbers(space.join(map(repr, numbers))) == tuple(numbers)


@pytest.mark.parametrize("text", ["1", "+1", "1.", "001", "1.0e0", ".1E+1"])
def test_ways_to_write_one(text):
    assert xml_numbers(f" {text} ") == (1.0,)


@pytest.mark.parametrize("text", ["a", "1_0", "nan", "-inf", "1e999", "٣", "0x1", "1,5", "1 2 x"])
def test_what_is_no_number(text):
    assert xml_numbers(text) == ()
