"""RecordRing: order, refusals, wrapping, and two processes at once."""

import time
from zlib import crc32

import pytest
from forked import forked
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.servo.record_ring import FRAME, RecordRing
from controlit_ros.servo.shared_memory import shared_memory


def take(ring):
    record = ring.peek()
    if record is not None:
        ring.advance()
    return record


@given(
    capacity=st.integers(16, 200),
    steps=st.lists(st.one_of(st.none(), st.binary(max_size=60)), max_size=80),
)
def test_records_come_in_order_or_are_counted(capacity, steps):
    ring, kept, refused = RecordRing(capacity), [], 0
    for record in steps:
        if record is None:
            assert take(ring) == (kept.pop(0) if kept else None)
        elif ring.offer(record):
            kept.append(record)
        else:
            refused += 1
            assert ring.dropped == refused
            # refused only if the room for it could not be had in one piece
            size = sum(len(entry) + FRAME.size + 7 for entry in kept) + len(record) + FRAME.size
            assert 2 * size > capacity
        assert ring.is_empty == (not kept)
    assert [take(ring) for _ in kept] == kept
    assert take(ring) is None


def test_what_is_larger_than_the_ring_is_refused():
    ring = RecordRing(64)
    assert not ring.offer(bytes(57))
    assert ring.offer(bytes(56))
    assert take(ring) == bytes(56)


def test_a_record_stays_until_it_is_given_back():
    ring = RecordRing(64)
    ring.offer(b"one")
    assert ring.peek() == ring.peek() == b"one"
    ring.advance()
    assert ring.peek() is None


def test_a_record_whose_stores_are_under_way_is_not_read():
    ring = RecordRing(64)
    ring.offer(b"whole")
    FRAME.pack_into(ring._content, 0, 5, crc32(b"other"))
    assert ring.peek() is None
    FRAME.pack_into(ring._content, 0, 5, crc32(b"whole"))
    assert ring.peek() == b"whole"


@pytest.mark.processes
@pytest.mark.parametrize("capacity", [128, 4096])
def test_two_processes(capacity):
    ring = RecordRing(capacity, shared_memory)
    count = 20_000

    def write():
        for number in range(count):
            record = number.to_bytes(4, "little") * (1 + number % 7)
            while not ring.offer(record):
                time.sleep(0.0)

    with forked(write):
        for number in range(count):
            while (record := take(ring)) is None:
                time.sleep(0.0)
            assert record == number.to_bytes(4, "little") * (1 + number % 7)
    assert ring.is_empty
