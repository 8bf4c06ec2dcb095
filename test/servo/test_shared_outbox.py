"""An outbox whose servo is another process: rows, entries, interest and waking cross over."""

import threading
import time

import numpy as np
import pytest
from forked import forked
from hand_offs import drained, offer_numbered
from patience import GENEROUS

from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.row_messages import RowMessages
from controlit_ros.interfaces import new
from controlit_ros.servo import Outbox, Sampler, SharedQueue
from controlit_ros.servo.hand_off import HandOff
from controlit_ros.servo.shared_memory import shared_memory
from controlit_ros.servo.wake_event import I_WAITING, ProcessWakeEvent, ThreadWakeEvent
from controlit_ros.servo.wake_signal import PipeSignal

pytestmark = pytest.mark.processes

BETWEEN_PROCESSES = [ProcessWakeEvent, lambda: ProcessWakeEvent(PipeSignal())]


@pytest.mark.parametrize("width", [0, 1, 24])
@pytest.mark.parametrize("capacity", [2, 64])
def test_no_row_is_torn_between_processes(width, capacity):
    hand_off = HandOff(width, capacity, shared_memory)
    rows = 30_000
    is_over = shared_memory(1)

    def write():
        offer_numbered(hand_off, rows)
        is_over[0] = 1

    with forked(write):
        delivered, last = 0, -1.0
        while True:
            was_over = is_over[0]
            for sample in drained(hand_off):
                assert sample.values.shape == (width,)
                assert (sample.values == sample.stamp).all()
                assert sample.stamp > last
                last = sample.stamp
                delivered += 1
            if was_over:
                break
    assert delivered + hand_off.dropped == rows
    assert delivered > 0


class Points:
    """A publisher of points that keeps their numbers."""

    def __init__(self):
        self.numbers = []

    def publish_raw(self, data):
        self.numbers.append(np.frombuffer(data[4:]).tolist())


@pytest.mark.parametrize("capacity", [2, 64])
def test_no_message_is_torn_between_processes(capacity):
    hand_off, publisher = HandOff(3, capacity, shared_memory), Points()
    form = MessageForm(lambda v, _stamp: new("geometry_msgs/msg/Point", x=v[0], y=v[1], z=v[2]), 3)
    messages = RowMessages(publisher, form, 0.0)
    read, rows, is_over = messages.reader(hand_off), 100_000, shared_memory(1)

    def write():
        offer_numbered(hand_off, rows)
        is_over[0] = 1

    with forked(write):
        was_over = 0
        while not was_over or hand_off.read < hand_off.written[0]:
            was_over = is_over[0]
            found = hand_off.take(read, hand_off.written[0])
            if found is not None:
                messages.give(found)
    points = np.array(publisher.numbers)
    assert (points == points[:, :1]).all()
    assert (np.diff(points[:, 0]) > 0.0).all()
    assert len(points) + hand_off.dropped == rows


def test_a_row_whose_stores_are_under_way_is_not_read():
    hand_off = HandOff(2)
    hand_off.begin(1.0)[:] = 1.0
    hand_off.commit()
    values = hand_off._values[0]
    values[1] = 5.0
    assert drained(hand_off) == []
    values[1] = 1.0
    assert [sample.stamp for sample in drained(hand_off)] == [1.0]
    assert hand_off.dropped == 0


def test_everything_crosses_over(poll):
    wants, got, entries = [False], [], []
    outbox = Outbox(is_shared=True)
    state = np.zeros(3)
    filled, delivered = 0, shared_memory(8).cast("Q")

    def fill(row):
        nonlocal filled
        filled += 1
        row[:] = state

    def deliver(stamp, values):
        got.append((stamp, *values))
        delivered[0] += 1

    sampler = outbox.add_sampler(Sampler(3, fill, deliver, wanted=lambda: wants[0]))
    queue = outbox.add_queue(entries.append)
    local = outbox.add_local_queue(entries.append)
    is_over = shared_memory(1)

    def serve():
        now = 0.0
        while not is_over[0]:
            time.sleep(0.001)
            if filled - delivered[0] > 20:  # nothing is dropped, however busy the machine is
                continue
            now += 1.0
            state.fill(now)
            if now == 5.0:
                queue.offer(("event", "grüße"))
            outbox.offer_all(now)

    with forked(serve):
        try:
            outbox.start()
            poll(lambda: entries)
            assert got == []
            assert not sampler.is_wanted
            wants[0] = True
            poll(lambda: len(got) > 10)
            local.offer("from here")
            poll(lambda: "from here" in entries)
            wants[0] = False
            poll(lambda: not sampler.is_wanted)
        finally:
            is_over[0] = 1
    outbox.stop()
    assert entries == [("event", "grüße"), "from here"]
    assert all(row == (row[0],) * 4 for row in got)
    assert outbox.failures == outbox.dropped == 0


def test_a_full_shared_queue_refuses_and_counts():
    queue = SharedQueue(lambda _: None, capacity=100)
    for number in range(50):
        queue.offer(number)
    kept = queue.drain()
    assert kept == list(range(len(kept)))
    assert 0 < len(kept) == 50 - queue.dropped
    assert queue.is_empty


@pytest.mark.parametrize("make", [ThreadWakeEvent, *BETWEEN_PROCESSES])
def test_an_event_set_before_the_wait_ends_it(make):
    wake_event = make()
    assert not wake_event.wait(0.0)
    wake_event.set()
    wake_event.set()
    assert wake_event.wait(GENEROUS)
    assert not wake_event.wait(0.001)


@pytest.mark.parametrize("make", BETWEEN_PROCESSES)
def test_a_set_in_the_moment_before_a_wait_is_seen_once(make):
    wake_event = make()
    wake_event._words[I_WAITING] = 1  # the waiter has begun and not yet looked
    wake_event.set()
    assert wake_event.wait(GENEROUS)
    assert not wake_event.wait(0.0)
    wake_event._words[I_WAITING] = 1
    wake_event.set()
    assert wake_event.wait(GENEROUS)
    later = threading.Timer(0.1, wake_event.set)
    later.start()
    assert wake_event.wait(GENEROUS)
    later.join()


@pytest.mark.parametrize("make", BETWEEN_PROCESSES)
def test_an_event_between_processes(make):
    there, back = make(), make()
    rounds = 500

    def answer():
        for _ in range(rounds):
            assert there.wait(GENEROUS)
            back.set()

    with forked(answer):
        for _ in range(rounds):
            there.set()
            assert back.wait(GENEROUS)
