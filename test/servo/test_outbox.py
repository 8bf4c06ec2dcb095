"""Outbox, samplers and queues: rates, counting, failures, and nothing lost at the end."""

import sys
import threading
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_threads import threads_named
from patience import GENEROUS

from controlit_ros.parameters import Parameter
from controlit_ros.servo import LocalQueue, Notice, NoticeBoard, NoticeLevel, Outbox, Sampler
from controlit_ros.servo.agenda import CYCLES, FEW
from controlit_ros.servo.hand_off import hand_off_size
from controlit_ros.servo.outbox import STEP


def ignore(*_):
    pass


def play(sampler, frequency, seconds, jitter=0.0, start=0.0):
    """Offer at a servo rate; return how many offers were made."""
    random = np.random.default_rng(7)
    count = int(frequency * seconds)
    times = start + np.arange(count) / frequency + jitter * random.uniform(-1, 1, count)
    return sum(sampler.offer(float(now)) for now in times)


@pytest.mark.parametrize("rate", [1.0, 30.0, 70.0, 333.0, 900.0, 1000.0])
@pytest.mark.parametrize("jitter", [0.0, 1e-4])
@pytest.mark.parametrize("start", [0.0, 1e5])
def test_the_rate_holds_on_average(rate, jitter, start):
    sampler = Outbox().add_sampler(Sampler(1, ignore, ignore, rate=rate))
    assert play(sampler, 1000.0, 10.0, jitter, start) == pytest.approx(10.0 * rate, abs=3)


def test_a_sampler_without_rate_offers_every_cycle():
    sampler = Outbox().add_sampler(Sampler(1, ignore, ignore))
    assert play(sampler, 1000.0, 1.0) == 1000


@given(seed=st.integers(0, 2**32 - 1))
def test_who_is_looked_at_seldom_offers_when_it_is_due(seed):
    """A few together offer in the same cycles as each of them that is asked in every cycle."""
    random = np.random.default_rng(seed)
    found, expected, changes = [], [], {}
    together, alone = Outbox(), Outbox()

    def sampler(name, rate, changing, filled):
        of = changes[name] if changing else None
        return Sampler(1, lambda _: filled.append((now, name)), ignore, rate=rate, of=of)

    pairs, now = {}, float(random.choice([0.0, 1e5]))
    for cycle in range(400):
        now += random.choice([0.0, 0.001, 0.001, 0.0012, 0.05], p=[0.01, 0.5, 0.4, 0.08, 0.01])
        if len(pairs) < 2 or (len(pairs) < FEW and random.random() < 0.02):
            rate, changing = random.choice([0.0, 7.0, 100.0, 333.0]), bool(random.random() < 0.3)
            name, changes[cycle] = cycle, Parameter("number", 0.0)
            pairs[name] = [
                box.add_sampler(sampler(name, rate, changing, filled))
                for box, filled in ((together, found), (alone, expected))
            ]
        name = random.choice(list(pairs))
        if random.random() < 0.02:
            for box, one in zip((together, alone), pairs.pop(name), strict=True):
                box.free_samplers([one.begin])
        elif random.random() < 0.05:
            for one in pairs[name]:
                one.is_wanted = not one.is_wanted
        elif random.random() < 0.1:
            changes[name].assign(float(cycle))
        if random.random() < 0.01:
            now -= random.choice([0.0, 0.5])
            for box in (together, alone):
                box.restart(now)
        together.offer_all(now)
        for _, one in pairs.values():
            if one.is_wanted:
                one.offer(now)
        assert sorted(found) == sorted(expected)


def cycles_of(rates, times):
    """Return by sampler in which cycles it offered, `(samplers, cycles)`."""
    found = np.zeros((len(times), len(rates)), dtype=int)
    offers = np.zeros(len(rates), dtype=int)
    outbox = Outbox()
    for i, rate in enumerate(rates):

        def fill(_row, i=i):
            offers[i] += 1

        outbox.add_sampler(Sampler(1, fill, ignore, rate=rate))
    for cycle, now in zip(found, times, strict=True):
        offers[:] = 0
        outbox.offer_all(float(now))
        cycle[:] = offers
    return found.T


@pytest.mark.parametrize("start", [0.0, 1e5], ids=["due at once", "long overdue"])
@pytest.mark.parametrize("count", [5, 30, 400])
def test_no_cycle_offers_all_that_are_due(count, start):
    """But the first, which follows no other."""
    found = cycles_of([100.0] * count, start + 1e-3 * np.arange(1000))
    assert found[:, 1:].sum(0).max() <= max(FEW, -(-count // CYCLES))
    assert abs(found.sum(1) - 100).max() <= 2
    gaps = [np.diff(np.flatnonzero(row[30:])) for row in found]
    assert max(map(max, gaps)) <= 10 + CYCLES


@pytest.mark.parametrize("frequency", [1000.0, 4000.0])
def test_who_begins_to_be_heard_is_spread_as_well(frequency):
    found, outbox = [], Outbox()
    for name in range(32):
        sampler = Sampler(1, lambda _, name=name: found.append((cycle, name)), ignore, rate=100.0)
        outbox.add_sampler(sampler).is_wanted = False
    for cycle in range(2000):
        if cycle == 100:
            for sampler in outbox._samplers:
                sampler.is_wanted = True
        outbox.offer_all(cycle / frequency)
    for begin in (100, 1000):
        first = {}
        for when, name in found:
            if when >= begin:
                first.setdefault(name, when)
        counts = np.bincount(np.array(list(first.values())) - min(first.values()))
        assert counts.tolist() == [8, 8, 8, 8]


def test_what_cannot_be_offered_has_its_turn_and_no_more():
    tried = []

    def fill(_row):
        tried.append(cycle)
        raise RuntimeError("no")

    outbox = Outbox()
    for _ in range(32):
        outbox.add_sampler(Sampler(1, fill, ignore, rate=100.0))
    for cycle in range(100):
        outbox.offer_all(1e-3 * cycle)
    assert np.bincount(tried)[1:].max() <= 8


@pytest.mark.parametrize("count", [20, 100])
@pytest.mark.parametrize("rate", [150.0, 333.0, 800.0, 1000.0, 5000.0])
@pytest.mark.parametrize("jitter", [0.0, 1e-4])
def test_many_at_a_high_rate_keep_it(count, rate, jitter):
    times = 1e-3 * np.arange(2000)
    found = cycles_of([rate] * count, times + jitter * np.random.default_rng(3).random(2000))
    assert found.sum(1) == pytest.approx(2.0 * min(rate, 1000.0), abs=8)


def test_a_slow_servo_offers_all_in_every_cycle():
    assert (cycles_of([100.0] * 30, 0.1 * np.arange(50)) == 1).all()


@pytest.mark.parametrize("then", [1.0, 500.0])
def test_the_first_cycle_of_another_time_offers_all(then):
    filled, outbox = [], Outbox()
    for _ in range(32):
        outbox.add_sampler(Sampler(1, filled.append, ignore, rate=100.0))
    for now in (100.0, 100.1):
        outbox.offer_all(now)
    outbox.restart(then)
    filled.clear()
    outbox.offer_all(then)
    assert len(filled) == 32


def test_nobody_is_kept_waiting_by_those_that_are_faster():
    rates = [1000.0] * 20 + [100.0] * 40 + [125.0] * 40 + [1.0] + [1000.0] * 20
    found = cycles_of(rates, 5.0 + 1e-3 * np.arange(4000)).sum(1)
    assert found == pytest.approx([4.0 * rate for rate in rates], abs=4)


def test_a_pause_is_not_made_up_for():
    sampler = Outbox().add_sampler(Sampler(1, ignore, ignore, rate=10.0))
    play(sampler, 1000.0, 1.0)
    assert play(sampler, 1000.0, 1.0, start=1000.0) <= 12


def test_a_sampler_delivers_what_it_was_filled_with():
    got = []
    outbox = Outbox()
    outbox.add_sampler(Sampler(2, lambda row: row.fill(7.0), lambda *sample: got.append(sample)))
    outbox.offer_all(0.5)
    outbox.deliver_all()
    ((stamp, values),) = got
    assert stamp == 0.5
    np.testing.assert_array_equal(values, [7.0, 7.0])


def test_what_nobody_wants_is_not_filled(poll):
    filled, wanted = [], [False]
    outbox = Outbox()
    sampler = outbox.add_sampler(
        Sampler(1, lambda _: filled.append(1), ignore, wanted=lambda: wanted[0])
    )
    for now in range(100):
        outbox.offer_all(float(now))
    assert filled == []
    assert not outbox._wake_event.wait(0.0)
    wanted[0] = True
    outbox.start()
    try:
        poll(lambda: sampler.is_wanted)
        outbox.offer_all(200.0)
        assert filled == [1]
        wanted[0] = False
        poll(lambda: not sampler.is_wanted)
    finally:
        outbox.stop()


def test_an_answer_that_comes_late_is_not_taken_for_anothers():
    """A sampler goes, and another gets its place, while somebody tells whether it is wanted."""
    outbox = Outbox()

    def answer():
        outbox.free_samplers([old.begin])
        outbox.add_sampler(new)
        return False

    old, new = Sampler(1, ignore, ignore, wanted=answer), Sampler(1, ignore, ignore)
    outbox.add_sampler(old)
    outbox.ask_for_interest()
    assert new.begin == old.begin
    assert new.is_wanted


def test_the_writer_sleeps_while_there_is_nothing():
    outbox = Outbox()
    outbox.add_sampler(Sampler(1, ignore, ignore, rate=10.0))
    queue = outbox.add_queue(ignore)
    outbox.offer_all(0.0)
    assert outbox._wake_event.wait(0.0)
    outbox.deliver_all()
    outbox._samplers[0].due = 1.0
    outbox.offer_all(0.001)
    assert not outbox._wake_event.wait(0.0)
    queue.offer("event")
    outbox.offer_all(0.002)
    assert outbox._wake_event.wait(0.0)


def fail(*_):
    raise OSError("no route")


def test_failures_are_counted_and_hold_nobody_up():
    got = []
    outbox = Outbox()
    outbox.add_sampler(Sampler(1, ignore, fail))
    outbox.add_sampler(Sampler(1, fail, ignore))
    outbox.add_sampler(Sampler(1, ignore, lambda stamp, _: got.append(stamp)))
    bad, good = outbox.add_queue(fail), outbox.add_queue(got.append)
    for now in range(10):
        bad.offer("bad")
        good.offer("good")
        outbox.offer_all(float(now))
    outbox.deliver_all()
    assert got == [float(now) for now in range(10)] + ["good"] * 10
    assert outbox.failures == 30
    assert outbox.last_failure == "OSError('no route')"


def test_who_cannot_tell_whether_it_listens_does_not(poll):
    outbox = Outbox()
    sampler = outbox.add_sampler(Sampler(1, ignore, ignore, wanted=fail))
    outbox.start()
    poll(lambda: outbox.failures > 0)
    outbox.stop()
    assert not sampler.is_wanted


def test_stop_delivers_the_rest():
    for _ in range(200):
        outbox, got = Outbox(), []
        outbox.add_sampler(Sampler(1, ignore, lambda stamp, _, got=got: got.append(stamp)))
        queue = outbox.add_queue(got.append)
        outbox.start()
        for now in range(30):
            outbox.offer_all(float(now))
        queue.offer("last")
        outbox.stop()
        assert sorted(map(str, got)) == sorted(["last", *(str(float(now)) for now in range(30))])


def test_stop_delivers_what_came_after_the_last_delivery(poll):
    """As above, the order forced: the writer delivers, more comes, then it sees the order."""
    got = []

    class Late(Outbox):
        def deliver_all(self):
            super().deliver_all()
            if not self._stopping:
                queue.offer("late")
                self._stopping = True

    outbox = Late()
    queue = outbox.add_queue(got.append)
    outbox.start()
    poll(lambda: outbox._stopping)
    outbox.stop()
    assert got == ["late"]


def test_stop_does_not_wait_for_the_next_look_at_who_listens(monkeypatch, poll):
    monkeypatch.setattr("controlit_ros.servo.outbox.INTEREST_PERIOD", 1e6)
    looks = []
    outbox = Outbox()
    outbox.add_sampler(Sampler(1, ignore, ignore, wanted=lambda: looks.append(1) is None))
    outbox.start()
    outbox.set()  # which ends the first wait
    poll(lambda: looks)
    stopping = threading.Thread(target=outbox.stop)
    stopping.start()
    stopping.join(GENEROUS)
    has_ended = not stopping.is_alive()
    outbox.set()  # or it would wait for ever
    assert has_ended


def test_start_and_stop_are_idempotent():
    outbox = Outbox()
    outbox.stop()
    before = threads_named("outbox")
    outbox.start()
    outbox.start()
    assert threads_named("outbox") == before + 1
    outbox.stop()
    outbox.stop()
    assert threads_named("outbox") == before
    got = []
    queue = outbox.add_queue(got.append)
    outbox.start()
    queue.offer(1)
    outbox.stop()
    assert got == [1]


@given(capacity=st.integers(1, 8), bursts=st.lists(st.integers(0, 20), min_size=1, max_size=10))
def test_a_full_queue_drops_the_oldest_and_counts(capacity, bursts):
    queue = LocalQueue(ignore, capacity)
    offered = 0
    for burst in bursts:
        before = queue.dropped
        for _ in range(burst):
            queue.offer(offered)
            offered += 1
        kept = min(burst, capacity)
        assert queue.is_empty == (kept == 0)
        assert queue.drain() == list(range(offered - kept, offered))
        assert queue.dropped - before == burst - kept


def test_queue_counts_exactly_under_contention():
    queue = LocalQueue(ignore, 8)
    total = 50_000
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        writer = threading.Thread(target=lambda: [queue.offer(i) for i in range(total)])
        writer.start()
        got = []
        while True:
            is_over = not writer.is_alive()
            got += queue.drain()
            if is_over:
                break
        writer.join()
    finally:
        sys.setswitchinterval(interval)
    assert got == sorted(set(got))
    assert len(got) + queue.dropped == total


def test_dropped_sums_all_hand_offs():
    outbox = Outbox()
    sampler = outbox.add_sampler(Sampler(1, ignore, ignore))
    queue = outbox.add_queue(ignore)
    for now in range(100):
        outbox.offer_all(float(now))
    for number in range(1030):
        queue.offer(number)
    outbox.deliver_all()
    assert sampler.hand_off.dropped == 100 - 63
    assert outbox.dropped == 100 - 63 + 1030 - 1024


def test_notices_of_one_topic_come_once_a_second():
    queue = LocalQueue(ignore)
    board = NoticeBoard(queue)
    written = []

    def write(tick):
        written.append(tick)
        return f"at {tick}"

    for tick in range(3000):
        board.post(NoticeLevel.ERROR, "read", "no", tick * 1e-3)
        if tick % 10 == 0:
            board.post(NoticeLevel.WARNING, "limit", partial(write, tick), tick * 1e-3)
    got = queue.drain()
    errors = [notice for notice in got if notice.topic == "read"]
    assert [round(e.stamp) for e in errors] == [0, 1, 2]
    assert errors[0] == Notice(NoticeLevel.ERROR, 0.0, "read", "no", 0)
    assert errors[1].repeated == 999
    assert sum(e.repeated + 1 for e in errors) == pytest.approx(2001, abs=2)
    assert [n.text for n in got if n.topic == "limit"] == ["at 0", "at 1000", "at 2000"]
    assert written == [0, 1000, 2000]


def test_each_sampler_has_a_flag_of_its_own():
    assert hand_off_size(0) > STEP


def test_only_those_that_offered_are_looked_at_in_the_order_of_their_memory():
    outbox, got = Outbox(), []

    def sampler(number, **more):
        return Sampler(number, ignore, lambda *_: got.append(number), **more)

    added = [outbox.add_sampler(sampler(number)) for number in range(20)]
    for number in (7, 3, 19):
        added[number].offer(1.0)
    outbox.deliver_all()
    assert got == [3, 7, 19]
    outbox.deliver_all()
    assert got == [3, 7, 19]
    outbox.drop_samplers([added[3].begin])
    outbox.offer_all(2.0)
    outbox.deliver_all()
    assert got[3:] == [number for number in range(20) if number != 3]


def test_a_sampler_in_the_place_of_one_that_left_is_not_overlooked():
    """Though it comes and offers while those before it are delivered."""
    outbox, got = Outbox(), []

    def replace(stamp, _values):
        got.append(stamp)
        new = outbox.add_sampler(Sampler(0, ignore, lambda stamp, _: got.append(stamp)))
        assert new.begin == left.begin
        new.offer(2.0)

    first = outbox.add_sampler(Sampler(0, ignore, replace))
    left = outbox.add_sampler(Sampler(0, ignore, lambda *_: got.append(None)))
    outbox.add_sampler(Sampler(0, ignore, lambda *_: got.append(None)))
    for sampler in (first, left):
        sampler.offer(1.0)
    outbox.free_samplers([left.begin])
    outbox.deliver_all()
    assert got == [1.0, 2.0]


def test_a_flag_that_is_seen_before_its_row_only_delays_it(poll):
    """As processors may that store in another order than they are told."""
    outbox, got = Outbox(), []
    sampler = outbox.add_sampler(Sampler(0, ignore, lambda stamp, _: got.append(stamp)))
    sampler.offer(1.0)
    sampler.flag[0] = 0
    outbox.deliver_all()
    assert got == []
    outbox.start()
    try:
        poll(lambda: got == [1.0])
    finally:
        outbox.stop()
