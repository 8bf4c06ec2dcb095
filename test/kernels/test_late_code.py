"""What a kernel calls has machine code of its own once Python calls it, and not before."""

import gc
import re

import numpy as np
import pytest
from numba import typeof
from numba.core.errors import NumbaError

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


def known(kernel):
    """Return how many signatures of a kernel its callers know, and how many Python can call."""
    return len(kernel.linked.overloads), len(kernel.overloads)


def test_a_caller_makes_no_machine_code_of_what_it_calls(kernels):
    inner, outer = kernels
    assert outer(np.array([1.0, 2.0])) == 6.0
    assert known(outer) == (0, 1)
    assert known(inner) == (1, 0)


def test_python_can_call_it_before_and_after_its_caller(kernels):
    inner, outer = kernels
    x = np.array([1.0, 2.0])
    assert inner(x) == 5.0
    assert outer(x) == 6.0
    assert known(inner) == (1, 1)

    y = np.array([[1.0, 2.0], [3.0, 4.0]])[:, 1]  # of another type
    assert outer(y) == 21.0
    assert known(inner) == (2, 1)
    assert inner(y) == 20.0
    assert known(inner) == (2, 2)
    assert outer(y) == 21.0
    assert [inner(x), outer(x)] == [5.0, 6.0]


def machine_code_of_a_caller(was_called_before):
    @LateDispatcher
    def inner(x, y):
        for i in range(len(x)):
            for j in range(i):
                x[i] += y[i, j] * x[j]

    @LateDispatcher
    def outer(x, y):
        inner(x, y)
        return x.sum()

    x, y = np.ones(3), np.ones((3, 3))
    if was_called_before:
        inner(x, y)
    outer(x, y)
    (found,) = outer.overloads.values()
    # names are numbered, and tell their own length
    return re.sub(r"v\d+|B[\w]+|\.size\t.*", "", found.library.get_asm_str())


def test_a_caller_is_the_same_whatever_python_had_called_before():
    assert machine_code_of_a_caller(True) == machine_code_of_a_caller(False)


def test_another_caller_finds_what_the_first_had_typed(kernels):
    inner, outer = kernels

    @LateDispatcher
    def other(x):
        return 2.0 * inner(x) + outer(x)

    x = np.array([1.0, 2.0])
    assert outer(x) == 6.0
    typed = next(iter(inner.linked.overloads.values()))
    assert other(x) == 16.0
    assert next(iter(inner.linked.overloads.values())) is typed
    assert known(inner) == (1, 0)


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
    assert gc.get_threshold() == thresholds
    assert outer(x) == 6.0


def read_only(x):
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(3),
        np.zeros((2, 3)),
        np.zeros((2, 3), order="F"),
        np.zeros((4, 6))[::2, ::3],
        np.zeros(()),
        np.zeros((0, 3)),
        np.zeros(3, dtype=np.int32),
        np.zeros(3, dtype=np.uint8),
        np.zeros(3, dtype=bool),
        np.zeros(3, dtype=complex),
        np.zeros(3, dtype=np.float32),
        np.zeros(3, dtype=[("x", float), ("y", int)]),
        np.zeros(3, dtype="datetime64[s]"),
        read_only(np.zeros(3)),
        np.zeros(3).view(np.recarray),
        2.0,
        (1, np.zeros(3)),
    ],
    ids=str,
)
def test_arguments_are_of_the_types_that_numba_tells(kernels, value):
    assert kernels[0].typeof_pyval(value) == typeof(value)


def test_arrays_that_no_kernel_takes_are_refused_as_by_numba(kernels):
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    for value in (masked, np.zeros(3, dtype=">f8"), np.array([None])):
        with pytest.raises((TypeError, NumbaError)):
            kernels[0](value)
