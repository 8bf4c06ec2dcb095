"""RowCopies: what a kernel offers is what Python would, in the same cycles, whole or not at all."""

import numpy as np
import pytest
from forked import forked
from hand_offs import drained
from hypothesis import example, given
from hypothesis import strategies as st

from controlit_ros.parameters import Parameter
from controlit_ros.parameters.number_in_memory import NumberInMemory
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.hand_off import CAPACITY, HandOff
from controlit_ros.servo.row_copies import ROOM, CopiedRow, RowCopies
from controlit_ros.servo.shared_memory import shared_memory


def ignore(*_):
    pass


def filling(sources):
    def fill(row):
        row[:] = np.concatenate(sources, axis=None)

    return fill


@given(seed=st.integers(0, 2**32 - 1))
@example(seed=120437141)  # many that can wait beside those of each cycle
def test_rows_are_those_that_python_offers(seed):
    """Both are told the same; what comes of it is compared bit by bit."""
    random = np.random.default_rng(seed)
    compiled, plain = Outbox(), Outbox()
    pairs, least = [], random.integers(2, 16)
    now = float(random.choice([0.0, 1e5]))
    for _ in range(300):
        now += random.choice([0.0, 0.001, 0.0012, 0.05, -0.3], p=[0.01, 0.6, 0.37, 0.01, 0.01])
        chance = random.random()
        if len(pairs) < least or chance < 0.03:
            sources = [np.zeros(shape) for shape in _shapes(random)]
            rate = random.choice([0.0, 7.0, 100.0, 333.0, 2000.0])
            width = sum(source.size for source in sources)
            pairs.append(
                (
                    sources,
                    compiled.add_sampler(Sampler(width, sources, ignore, rate=rate)),
                    plain.add_sampler(Sampler(width, filling(sources), ignore, rate=rate)),
                )
            )
        elif chance < 0.05:
            _, *both = pairs.pop(random.integers(len(pairs)))
            for box, sampler in zip((compiled, plain), both, strict=True):
                box.free_samplers([sampler.begin])
        elif chance < 0.1:
            for sampler in pairs[random.integers(len(pairs))][1:]:
                sampler.is_wanted = not sampler.is_wanted
        elif chance < 0.11:
            compiled.restart(now)
            plain.restart(now)
        for sources, *_ in pairs:
            for source in sources:
                source[...] = random.normal(size=source.shape) * 10.0 ** random.integers(-300, 300)
        for box in (compiled, plain):
            box.offer_all(now)
        assert compiled._wake_event.wait(0.0) == plain._wake_event.wait(0.0)
        for _, one, other in pairs:
            assert one.sources
            assert not other.sources
            assert one.flag[0] == other.flag[0]
            assert one.hand_off.memory.tobytes() == other.hand_off.memory.tobytes()
            if random.random() < 0.5:
                one.flag[0] = other.flag[0] = 0


def _shapes(random):
    shapes = [(0,), (1,), (3,), (2, 3), (40,)]
    return [shapes[i] for i in random.integers(len(shapes), size=random.integers(1, 4))]


def test_what_waits_for_changes_is_left_to_python():
    parameter = Parameter("numbers", np.zeros(2), shape=(2,))
    sampler = Outbox().add_sampler(Sampler(2, parameter, ignore, of=parameter))
    assert not sampler.sources
    assert [sampler.offer(1.0), sampler.offer(2.0)] == [True, False]
    parameter.assign(np.full(2, 7.0))
    assert sampler.offer(3.0)
    assert drained(sampler.hand_off)[1].values.tolist() == [7.0, 7.0]


def test_what_no_kernel_can_copy_is_refused():
    for value in (np.zeros(4)[::2], np.zeros(2, np.int64), [0.0, 0.0]):
        with pytest.raises(TypeError, match="expected an array of float64"):
            Sampler(2, [value], ignore)


def test_arrays_of_more_or_fewer_numbers_than_the_row_are_refused():
    for size in (1, 3):
        with pytest.raises(ValueError, match="expected 2"):
            Sampler(2, [np.zeros(size)], ignore)


@pytest.mark.parametrize(
    "make",
    [lambda: NumberInMemory("norm", 0.0), lambda: Parameter("v", 0.0, shape=(1,), broadcast=True)],
)
def test_a_parameter_that_moves_is_followed(make):
    """As those of a task that is added: its topics are there before it has its place."""
    parameter, outbox = make(), Outbox()
    sampler = outbox.add_sampler(Sampler(1, parameter, ignore))
    memories = [np.zeros(1) for _ in range(3)]
    for number, memory in enumerate(memories):
        parameter.assign(parameter.validate(number + 0.25))
        outbox.offer_all(2.0 * number)
        parameter.rebind(memory)
        memory[:] = number + 0.5
        outbox.offer_all(2.0 * number + 1.0)
        assert sampler.sources == ((memory.ctypes.data, 1),)
    found = [sample.values.item() for sample in drained(sampler.hand_off)]
    assert found == [0.25, 0.5, 1.25, 1.5, 2.25, 2.5]


def test_a_parameter_that_no_kernel_can_copy_is_left_to_python():
    parameter, outbox = Parameter("v", 0.0, shape=(2,), broadcast=True), Outbox()
    column = np.array([[1.0, 2.0], [3.0, 4.0]])[:, 1]
    parameter.rebind(column)
    column[:] = 2.0, 4.0
    sampler = outbox.add_sampler(Sampler(2, parameter, ignore))
    assert not sampler.sources
    outbox.offer_all(1.0)
    assert drained(sampler.hand_off)[0].values.tolist() == [2.0, 4.0]


def test_more_than_there_is_room_for_are_offered():
    outbox = Outbox()
    samplers = []
    for number in range(3 * ROOM):
        samplers.append(outbox.add_sampler(Sampler(1, [np.array([float(number)])], ignore)))
        if number in (ROOM - 1, ROOM, 3 * ROOM - 1):
            outbox.offer_all(float(number))
    for number, sampler in enumerate(samplers):
        assert drained(sampler.hand_off)[0].values.item() == number


@pytest.mark.processes
@pytest.mark.parametrize("capacity", [2, CAPACITY])
def test_no_row_that_a_kernel_writes_is_torn_between_processes(capacity):
    width, rows = 24, 200_000
    hand_off, is_over = HandOff(width, capacity, shared_memory), shared_memory(1)

    def write():
        number = np.zeros(width)
        sampler = Sampler(width, [number], ignore)
        sampler.hand_off = hand_off
        copies = RowCopies(np.zeros(1, np.int8), 1.0)
        sampler.ring = (hand_off.memory.ctypes.data, len(hand_off.memory), hand_off.stride)
        copies.adopt([CopiedRow(0, sampler, sampler.sources)], 1)
        for i in range(rows):
            number[:] = i
            copies.offer(float(i), 1.0)
        is_over[0] = 1

    with forked(write):
        delivered, last, was_over = 0, -1.0, 0
        while not was_over:
            was_over = is_over[0]
            for sample in drained(hand_off):
                assert (sample.values == sample.stamp).all()
                assert sample.stamp > last
                last, delivered = sample.stamp, delivered + 1
    assert delivered + hand_off.dropped == rows
    assert delivered > 0
