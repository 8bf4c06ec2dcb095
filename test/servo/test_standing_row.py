"""Rows whose numbers stand in memory: what is brought out of the servo is what they say."""

from functools import cache
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.parameters import Parameter
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.standing_row import StandingRow


class Row(StandingRow):
    """Numbers in arrays of some shapes, a parameter, and one that counts how often it was asked."""

    def __init__(self, shapes=((2,),)):
        self.parts = [np.zeros(shape) for shape in shapes]
        self.parameter = Parameter("parameter", np.zeros(3), shape=(3,))
        self.prepared = np.zeros(1)
        self.width = sum(part.size for part in self.parts) + 4
        self.error = None

    def arrays(self):
        return [*self.parts, self.parameter.value, self.prepared]

    def prepare(self):
        if self.error is not None:
            raise self.error
        self.prepared += 1.0

    def numbers(self):
        return np.concatenate([array.ravel() for array in self.arrays()])


def world(row, **options):
    outbox, delivered = Outbox(), []
    outbox.add_sampler(
        Sampler(row.width, row, lambda t, x: delivered.append((t, x.copy())), **options)
    )
    return outbox, delivered


SHAPE = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)


@given(shapes=st.lists(SHAPE, max_size=8), seed=st.integers(0, 2**32 - 1))
def test_what_is_delivered_is_what_stood_there(shapes, seed):
    random, row = np.random.default_rng(seed), Row(shapes)
    outbox, delivered = world(row)
    expected = []
    for cycle in range(8):
        for array in row.arrays()[:-1]:
            array[...] = random.normal(size=array.shape) * 10.0 ** random.integers(-300, 300)
        if random.random() < 0.3:
            row.parameter.rebind(np.zeros(3))
        outbox.offer_all(float(cycle))
        expected.append((float(cycle), row.numbers()))
        outbox.deliver_all()
    assert outbox.failures == 0
    assert [stamp for stamp, _ in delivered] == [stamp for stamp, _ in expected]
    for (_, found), (_, written) in zip(delivered, expected, strict=True):
        np.testing.assert_array_equal(found, written)


def test_it_is_prepared_only_when_it_is_due():
    row = Row()
    outbox, delivered = world(row, rate=10.0)
    for cycle in range(1001):
        outbox.offer_all(1e-3 * cycle)
        outbox.deliver_all()
    assert row.prepared[0] == len(delivered) == pytest.approx(10, abs=1)


def test_one_that_cannot_be_prepared_delivers_nothing_and_is_counted():
    row = Row()
    outbox, delivered = world(row)
    row.error = ValueError("no")
    outbox.offer_all(0.0)
    outbox.deliver_all()
    assert delivered == []
    assert outbox.failures == 1
    row.error = None
    outbox.offer_all(1.0)
    outbox.deliver_all()
    assert [stamp for stamp, _ in delivered] == [1.0]


def test_its_kernel_is_compiled_before_a_cycle_needs_it(monkeypatch):
    module = import_module("controlit_ros.kernels.bind")  # a function of the package hides it
    monkeypatch.setattr(module, "_unpacking", cache(module._unpacking.__wrapped__))
    import_module("controlit_ros.servo.sampler")._compile_copying.cache_clear()
    outbox, delivered = world(Row())
    (sampler,) = outbox._samplers
    before = list(sampler._copy.unpacking.signatures)
    outbox.offer_all(0.0)
    outbox.deliver_all()
    assert before == sampler._copy.unpacking.signatures
    assert len(before) == len(delivered) == 1


def test_where_other_parameters_move_nothing_is_found_anew():
    row = Row()
    outbox, _ = world(row)
    outbox.offer_all(0.0)
    (sampler,) = outbox._samplers
    before = sampler._copy
    Parameter("other", np.zeros(2), shape=(2,)).rebind(np.zeros(2))
    outbox.offer_all(1.0)
    assert sampler._copy is before
    row.parameter.rebind(np.zeros(3))
    outbox.offer_all(2.0)
    assert sampler._copy is not before


def test_one_of_another_width_than_it_says_is_refused():
    row = Row()
    row.width += 1
    with pytest.raises(ValueError, match="found arrays of 6 numbers, expected 7"):
        world(row)


@pytest.mark.parametrize("array", [np.zeros(4)[::2], np.zeros((2, 3)).T, np.zeros(2, dtype=int)])
def test_one_in_pieces_or_of_other_numbers_is_refused(array):
    row = Row()
    row.parts = [array]
    with pytest.raises(TypeError, match="float64"):
        world(row)
