"""Kernels count nobody who holds an array, so they make none and hand none on."""

import sys

import numpy as np
import pytest
from numba.core.errors import NumbaError

from controlit_ros.kernels.compile import counting_kernel, kernel
from controlit_ros.kernels.dense import dense, dense_from


@kernel
def ends(x):
    return x[1:], x[:1]


@kernel
def made(n):
    return np.zeros(n)[0]


@kernel
def first_entry(x):
    return beginning(x)[0]


@counting_kernel
def beginning(x):
    return x[:1]


@counting_kernel
def first_of_own(n):
    x = np.full(n, 7.0)
    return first_entry(x)


@kernel
def corner(memory, first, rows, columns):
    return dense_from(memory, first, rows, columns)[rows - 1, columns - 1]


def test_arrays_are_refused_where_nobody_counts_who_has_them():
    with pytest.raises(NumbaError, match=r"ends returns .*expected no array, or a counting_kernel"):
        ends(np.ones(3))
    with pytest.raises(NumbaError, match="Only accept returning of array"):
        made(3)


def test_counts_stay_what_they_are_at_the_border():
    x = np.full(3, 5.0)
    before = sys.getrefcount(x)
    for _ in range(1000):
        assert first_entry(x) == 5.0
        assert first_of_own(3) == 7.0
    assert sys.getrefcount(x) == before


def test_a_part_of_memory_is_what_numpy_says():
    memory = np.arange(24.0).reshape(2, 3, 4)
    assert corner(memory, 5, 2, 3) == dense_from.py_func(memory, 5, 2, 3)[1, 2] == 10.0
    np.testing.assert_array_equal(dense.py_func(memory, 2, 2), [[0.0, 1.0], [2.0, 3.0]])


@pytest.mark.parametrize(("first", "rows", "columns"), [(0, 5, 5), (20, 1, 5), (25, 0, 1)])
def test_a_part_that_is_not_there_is_refused(first, rows, columns):
    with pytest.raises(ValueError, match="larger than its array"):
        corner(np.arange(24.0), first, rows, columns)


@pytest.mark.parametrize("memory", [np.zeros(4, dtype=np.int64), np.zeros((4, 4))[:, :2]])
def test_memory_of_another_kind_is_refused(memory):
    with pytest.raises(NumbaError):
        corner(memory, 0, 1, 1)
