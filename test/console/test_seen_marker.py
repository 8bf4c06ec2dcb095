"""What a controller draws, read without the decoder of all messages."""

import contextlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from controlit_console.seen_marker import read_markers
from controlit_ros.interfaces import decode, encode, new

ARRAY = "visualization_msgs/msg/MarkerArray"
FINITE = st.floats(-1e3, 1e3, width=32)
TEXT = st.text(max_size=9).filter(lambda text: "\0" not in text)
NUMBER = st.integers(-(2**31), 2**31 - 1)


def named(names):
    return lambda values: dict(zip(names, values.tolist(), strict=True))


def vectors(names):
    return arrays(np.float64, len(names), elements=FINITE).map(named(names))


MARKERS = st.fixed_dictionaries(
    {
        "header": st.fixed_dictionaries({"frame_id": TEXT}),
        "ns": TEXT,
        "id": NUMBER,
        "type": NUMBER,
        "action": NUMBER,
        "pose": st.fixed_dictionaries({"position": vectors("xyz"), "orientation": vectors("xyzw")}),
        "scale": vectors("xyz"),
        "color": vectors("rgba"),
        "frame_locked": st.booleans(),
        "points": st.lists(vectors("xyz"), max_size=3),
        "colors": st.lists(vectors("rgba"), max_size=3),
        "texture_resource": TEXT,
        "texture": st.fixed_dictionaries({"format": TEXT, "data": st.binary(max_size=5)}),
        "uv_coordinates": st.lists(vectors("uv"), max_size=2),
        "text": TEXT,
        "mesh_resource": TEXT,
        "mesh_file": st.fixed_dictionaries({"filename": TEXT, "data": st.binary(max_size=5)}),
    }
)


def rows(messages, names):
    return np.array([[getattr(m, name) for name in names] for m in messages]).reshape(
        -1, len(names)
    )


@given(sent=st.lists(MARKERS, max_size=3))
def test_it_is_what_the_decoder_of_all_messages_reads(sent):
    data = encode(ARRAY, new(ARRAY, markers=sent))
    for found, message in zip(read_markers(data), decode(ARRAY, data).markers, strict=True):
        assert found[:4] == (message.ns, message.id, message.type, message.action)
        place, turn = message.pose.position, message.pose.orientation
        for read, parts, names in (
            (found.position, [place], "xyz"),
            (found.orientation, [turn], "xyzw"),
            (found.scale, [message.scale], "xyz"),
            (found.color, [message.color], "rgba"),
            (found.points, message.points, "xyz"),
            (found.colors, message.colors, "rgba"),
        ):
            np.testing.assert_array_equal(read.reshape(-1, len(names)), rows(parts, names))


@given(data=st.binary(max_size=200))
def test_bytes_that_are_none_are_refused_or_few(data):
    with contextlib.suppress(ValueError):
        assert len(read_markers(data)) <= len(data)
