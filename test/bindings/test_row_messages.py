"""RowMessages: what the servo has put into a row goes out as it would if it were copied first."""

from zlib import crc32

import numpy as np
import pytest
from hand_offs import hammered
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.bindings.row_messages import RowMessages
from controlit_ros.interfaces import decode, encode, new
from controlit_ros.kernels.message_row import CHECKSUM, STAMP
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.hand_off import HandOff

JOINT_STATE = "sensor_msgs/msg/JointState"
POINT = "geometry_msgs/msg/Point"


class Sent:
    """A publisher that keeps what it is given."""

    def __init__(self):
        self.messages = []

    def publish_raw(self, data):
        self.messages.append(bytes(data))


def joint_state(values, stamp):
    return new(
        JOINT_STATE,
        header={"stamp": time_fields(stamp), "frame_id": "abc"},
        name=["one", "another"],
        effort=values[:3],
        position=values[3:],
    )


def deliver_all(hand_off, messages):
    read, end = messages.reader(hand_off), hand_off.written[0]
    while (found := hand_off.take(read, end)) is not None:
        messages.give(found)


def offer(hand_off, stamp, values):
    hand_off.begin(stamp)[:] = values
    hand_off.commit()


@given(
    rows=st.lists(
        st.tuples(st.floats(0.0, 2e9), st.lists(st.floats(), min_size=8, max_size=8)), max_size=5
    ),
    offset=st.floats(0.0, 1e8),
)
def test_each_row_is_the_message_that_its_numbers_make(rows, offset):
    hand_off, publisher = HandOff(8), Sent()
    for stamp, values in rows:
        offer(hand_off, stamp, values)
    deliver_all(hand_off, RowMessages(publisher, MessageForm(joint_state, 8), offset))
    assert publisher.messages == [
        encode(JOINT_STATE, joint_state(np.array(values), stamp + offset)) for stamp, values in rows
    ]
    assert hand_off.dropped == 0


@pytest.mark.parametrize("width", [0, 1, 57])
def test_a_message_without_a_time_needs_none(width):
    def make(values, _stamp):
        return new(JOINT_STATE, velocity=values)

    hand_off, publisher, values = HandOff(width), Sent(), 0.1 * np.arange(width)
    offer(hand_off, 1.0, values)
    deliver_all(hand_off, RowMessages(publisher, MessageForm(make, width), 0.0))
    assert publisher.messages == [encode(JOINT_STATE, make(values, 0.0))]


@pytest.mark.parametrize("stamp", [np.nan, np.inf, 1e300, 2.0**31, -(2.0**31) - 1.0])
def test_a_time_that_no_message_can_hold_is_counted(stamp):
    outbox, publisher = Outbox(), Sent()
    form = MessageForm(joint_state, 8)

    def fill(row):
        row[:] = 7.0

    for offset in (stamp, 1.5):
        outbox.add_sampler(Sampler(8, fill, RowMessages(publisher, form, offset)))
    outbox.offer_all(0.0)
    outbox.deliver_all()
    assert outbox.failures == 1
    assert "no message can hold" in outbox.last_failure
    assert publisher.messages == [encode(JOINT_STATE, joint_state(np.full(8, 7.0), 1.5))]


@pytest.mark.parametrize("width", [2, 4])
def test_rows_of_another_width_are_refused(width):
    messages = RowMessages(Sent(), MessageForm(_point, 3), 0.0)
    with pytest.raises(ValueError, match=f"found rows of {width} numbers, expected 3"):
        messages.reader(HandOff(width))


@pytest.mark.parametrize("word", [1, 2, 4])
@pytest.mark.parametrize("bit", [0, 7, 31, 32, 63])
def test_a_row_whose_stores_are_under_way_waits(word, bit):
    hand_off, publisher = HandOff(3), Sent()
    offer(hand_off, 1.0, [1.0, 2.0, 3.0])
    messages = RowMessages(publisher, MessageForm(_point, 3), 0.0)
    hand_off.words[0, word] ^= np.int64(np.uint64(1 << bit))
    deliver_all(hand_off, messages)
    assert publisher.messages == []
    hand_off.words[0, word] ^= np.int64(np.uint64(1 << bit))
    deliver_all(hand_off, messages)
    assert len(publisher.messages) == 1
    assert hand_off.dropped == 0


def test_the_checksum_is_that_of_the_library():
    hand_off, publisher = HandOff(3), Sent()
    random = np.random.default_rng(5)
    messages = RowMessages(publisher, MessageForm(_point, 3), 0.0)
    for number in range(100):
        row = random.integers(-(2**63), 2**63, 4, dtype=np.int64)
        hand_off.begin(0.0)
        hand_off.words[number % 64, STAMP:] = row
        hand_off.commit()
        assert hand_off.words[number % 64, CHECKSUM] == crc32(row.data)
        deliver_all(hand_off, messages)
        assert publisher.messages[-1][4:] == row[1:].tobytes()
    assert len(publisher.messages) == 100


def test_a_form_that_does_more_than_copy_takes_no_row_but_its_own():
    outbox, publisher = Outbox(), Sent()
    wrong = MessageForm(lambda values, _stamp: new(POINT, x=2.0 * values[0]), 1)
    right = MessageForm(lambda values, _stamp: new(POINT, x=values[0]), 1)

    def fill(row):
        row[:] = 7.0

    for form in (wrong, right):
        outbox.add_sampler(Sampler(1, fill, RowMessages(publisher, form, 0.0)))
    for number in range(3):
        outbox.offer_all(float(number))
        outbox.deliver_all()
    assert outbox.failures == 3
    assert "each of its numbers once" in outbox.last_failure
    assert [decode(POINT, message).x for message in publisher.messages] == [7.0] * 3


def test_a_publisher_that_raises_loses_one_row():
    class Moody(Sent):
        def publish_raw(self, data):
            super().publish_raw(data)
            if len(self.messages) == 2:
                raise RuntimeError("no")

    outbox, publisher, numbers = Outbox(), Moody(), iter(range(9))

    def fill(row):
        row[:] = next(numbers)

    form = MessageForm(lambda values, _stamp: new(POINT, x=values[0]), 1)
    outbox.add_sampler(Sampler(1, fill, RowMessages(publisher, form, 0.0)))
    for number in range(4):
        outbox.offer_all(float(number))
    outbox.deliver_all()
    assert outbox.failures == 1
    assert [decode(POINT, message).x for message in publisher.messages] == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("capacity", [2, 5])
def test_no_message_is_torn_under_a_hammering_writer(capacity):
    hand_off, publisher = HandOff(3, capacity), Sent()
    messages = RowMessages(publisher, MessageForm(_point, 3), 0.0)
    read, rows = messages.reader(hand_off), 20_000
    with hammered(hand_off, 3, rows) as writer:
        while writer.is_alive() or hand_off.read < hand_off.written[0]:
            found = hand_off.take(read, hand_off.written[0])
            if found is not None:
                messages.give(found)
    points = np.array([np.frombuffer(message[4:]) for message in publisher.messages])
    assert (points == points[:, :1]).all()
    assert (np.diff(points[:, 0]) > 0.0).all()
    assert len(points) + hand_off.dropped == rows
    assert len(points) > 0


def _point(values, _stamp):
    return new(POINT, **dict(zip("xyz", values.tolist(), strict=True)))
