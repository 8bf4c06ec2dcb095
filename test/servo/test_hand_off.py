"""HandOff: exact counting of what was dropped and no torn rows."""

import numpy as np
import pytest
from hand_offs import drained, hammered
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.servo.hand_off import HandOff


def offer(hand_off, number):
    hand_off.begin(float(number))[:] = number
    hand_off.commit()


def test_rows_come_in_order_and_once():
    hand_off = HandOff(2)
    assert drained(hand_off) == []
    for number in range(5):
        offer(hand_off, number)
    samples = drained(hand_off)
    assert [sample.stamp for sample in samples] == [0.0, 1.0, 2.0, 3.0, 4.0]
    np.testing.assert_array_equal(samples[3].values, [3.0, 3.0])
    assert drained(hand_off) == []
    assert hand_off.dropped == 0


def test_a_row_begun_but_not_committed_is_not_read():
    hand_off = HandOff(1)
    offer(hand_off, 1)
    hand_off.begin(2.0)[:] = 2.0
    assert [sample.stamp for sample in drained(hand_off)] == [1.0]
    hand_off.begin(3.0)[:] = 3.0
    hand_off.commit()
    assert [sample.stamp for sample in drained(hand_off)] == [3.0]


def test_samples_are_the_readers_own():
    hand_off = HandOff(1, capacity=4)
    offer(hand_off, 1)
    (sample,) = drained(hand_off)
    for number in range(10):
        offer(hand_off, number)
    assert sample.values[0] == 1.0


@given(capacity=st.integers(2, 9), bursts=st.lists(st.integers(0, 30), min_size=1, max_size=20))
def test_every_row_is_delivered_or_counted(capacity, bursts):
    hand_off = HandOff(1, capacity)
    seen, offered = [], 0
    for burst in bursts:
        for _ in range(burst):
            offer(hand_off, offered)
            offered += 1
        samples = drained(hand_off)
        assert len(samples) == min(burst, capacity - 1)
        seen += [sample.stamp for sample in samples]
        assert all(sample.stamp == sample.values[0] for sample in samples)
        assert hand_off.dropped + len(seen) == offered
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("capacity", [2, 5, 64])
def test_no_row_is_torn_under_a_hammering_writer(capacity):
    hand_off = HandOff(24, capacity)
    rows = 30_000
    with hammered(hand_off, 24, rows) as writer:
        delivered, last = 0, -1.0
        while True:
            is_over = not writer.is_alive()
            samples = drained(hand_off)
            assert len(samples) <= rows
            for sample in samples:
                assert (sample.values == sample.stamp).all()
                assert sample.stamp > last
                last = sample.stamp
            delivered += len(samples)
            if is_over:
                break
    assert delivered + hand_off.dropped == rows
    assert delivered > 0
