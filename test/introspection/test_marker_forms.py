"""MarkerForms: the same bytes as of markers that are made and encoded anew each time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import decode, encode, new
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import BLUE, GREEN, RED, Key
from controlit_ros.introspection.marker_forms import KEPT, TYPE, MarkerForms
from controlit_ros.introspection.sketch import Sketch

NUMBER = st.floats(-1e3, 1e3)
PLACE = st.lists(NUMBER, min_size=3, max_size=3).map(np.array)
KEY = st.builds(Key, st.sampled_from(["", "task", "robot/contacts"]), st.integers(0, 2))
COLOR = st.sampled_from([BLUE, RED])
TURN = np.array([0.0, 0.0, 0.6, 0.8])
MARKER = st.one_of(
    st.builds(marker.sphere, KEY, PLACE, COLOR, NUMBER),
    st.builds(marker.disc, KEY, PLACE, st.just(TURN), COLOR, NUMBER),
    st.builds(marker.arrow, KEY, PLACE, PLACE, COLOR),
    st.builds(marker.axes, KEY, st.lists(PLACE, min_size=6, max_size=6).map(np.array), COLOR),
    st.builds(marker.line, KEY, st.lists(PLACE, min_size=2, max_size=4), COLOR),
    st.builds(marker.deletion, KEY),
)


def expected(markers, stamp):
    header = {"stamp": time_fields(stamp), "frame_id": "odom"}
    message = new(TYPE, markers=[{**mark.fields(), "header": header} for mark in markers])
    return encode(TYPE, message)


def assert_same(found, markers, stamp):
    assert bytes(found) == expected(markers, stamp)


@given(scenes=st.lists(st.lists(MARKER, max_size=4), min_size=1, max_size=4))
def test_each_scene_is_encoded_as_it_is(scenes):
    forms = MarkerForms("odom")
    for turn in range(3):  # the first as it is, the second and third by a form
        for number, markers in enumerate(scenes):
            stamp = 10.0 * turn + number + 0.25
            assert_same(forms.encode([Sketch.of(markers)], stamp), markers, stamp)


@pytest.mark.parametrize(
    "other",
    [
        marker.sphere(Key("task", 1), np.ones(3), BLUE),
        marker.sphere(Key("other", 0), np.ones(3), BLUE),
        marker.sphere(Key("task", 0), np.ones(3), GREEN),
        marker.disc(Key("task", 0), np.ones(3), TURN, BLUE, 1.0),
        marker.deletion(Key("task", 0)),
        marker.line(Key("task", 0), [np.ones(3)] * 3, BLUE),
        marker.sphere(Key("task", 0), np.ones(3), BLUE)._replace(kind=marker.CUBE),
        marker.sphere(Key("task", 0), np.ones(3), BLUE)._replace(position=None),
        marker.sphere(Key("task", 0), np.ones(3), BLUE)._replace(colors=(RED,)),
    ],
)
def test_what_looks_otherwise_is_not_taken_for_the_same(other):
    forms = MarkerForms("odom")
    known = [marker.sphere(Key("task", 0), np.zeros(3), BLUE)]
    for _ in range(3):
        forms.encode([Sketch.of(known)], 1.0)
    for turn in range(3):
        assert_same(forms.encode([Sketch.of([other])], 2.0 + turn), [other], 2.0 + turn)
        assert_same(forms.encode([Sketch.of(known)], 2.5), known, 2.5)


def test_few_looks_are_kept():
    forms = MarkerForms("odom")
    for number in range(3 * KEPT):
        forms.encode([Sketch.of([marker.sphere(Key("task", number), np.zeros(3), BLUE)])], 0.0)
    assert len(forms._forms) == KEPT


def test_what_moves_is_found_in_the_message():
    forms = MarkerForms("odom")
    for height in (0.0, 1.0, 2.0):
        place = np.array([0.0, 0.0, height])
        sketch = Sketch.of([marker.sphere(Key("t", 0), place, BLUE)])
        array = decode(TYPE, bytes(forms.encode([sketch], height)))
        assert array.markers[0].pose.position.z == height
        assert array.markers[0].header.stamp.sec == height
