"""What a kernel calls has machine code of its own once Python calls it, and not before."""

import gc

import numpy as np
import pytest

from controlit_ros.kernels.bind import bind
from controlit_ros.kernels.late_code import LateDispatcher


@pytest.fixture
def kernels():
    @LateDispatcher
    def inner(x):
        total = 0.0
        for value in x:
            total += value * value
        return total

    @LateDispatcher
    def outer(x):
        return inner(x) + 1.0

    return inner, outer


def addresses(kernel):
    """Return how many signatures of a kernel are known, and how many Python can call at once."""
    known = len(kernel.overloads)
    return known, sum(callable(found.entry_point) for found in kernel.overloads.values())


def test_a_caller_makes_no_machine_code_of_what_it_calls(kernels):
    inner, outer = kernels
    assert outer(np.array([1.0, 2.0])) == 6.0
    assert addresses(outer) == (1, 1)
    assert addresses(inner) == (1, 0)


def test_python_can_call_it_before_and_after_its_caller(kernels):
    inner, outer = kernels
    x = np.array([1.0, 2.0])
    assert inner(x) == 5.0
    assert outer(x) == 6.0
    assert addresses(inner) == (1, 1)

    y = np.array([[1.0, 2.0], [3.0, 4.0]])[:, 1]  # of another type
    assert outer(y) == 21.0
    assert addresses(inner) == (2, 1)
    assert inner(y) == 20.0
    assert addresses(inner) == (2, 2)
    assert outer(y) == 21.0
    assert [inner(x), outer(x)] == [5.0, 6.0]


def test_another_caller_finds_what_the_first_had_typed(kernels):
    inner, outer = kernels

    @LateDispatcher
    def other(x):
        return 2.0 * inner(x) + outer(x)

    x = np.array([1.0, 2.0])
    assert outer(x) == 6.0
    known = next(iter(inner.overloads.values()))
    assert other(x) == 16.0
    assert next(iter(inner.overloads.values())) is known
    assert addresses(inner) == (1, 0)


def test_a_kernel_of_addresses_calls_it_too(kernels):
    inner, outer = kernels
    x = np.array([1.0, 2.0])
    bound = bind(outer, x)
    assert bound() == 6.0
    assert inner(x) == 5.0
    assert outer(x) == 6.0


def test_what_cannot_be_compiled_leaves_the_next_one_alone(kernels):
    _, outer = kernels

    @LateDispatcher
    def wrong(x):
        return outer(x).nothing

    x = np.array([1.0, 2.0])
    thresholds = gc.get_threshold()
    with pytest.raises(Exception, match="nothing"):
        wrong(x)
    assert LateDispatcher.depth == 0
    assert gc.get_threshold() == thresholds
    assert outer(x) == 6.0
