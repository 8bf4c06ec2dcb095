"""Bound kernels do what kernels do, and refuse what they could not read."""

import numpy as np
import pytest

from controlit_ros.kernels import GIVEN, BoundKernels, accelerate, bind, project
from controlit_ros.kernels.bind import _unpacking
from controlit_ros.kernels.compile import kernel


@kernel
def _mix(matrix, factor, counts, flags, result):
    """Write sums of a matrix' rows, where flags are set; return how many."""
    written = 0
    for i in range(matrix.shape[0]):
        if flags[i]:
            result[i] = 0.0
            for j in range(matrix.shape[1]):
                result[i] += factor * matrix[i, j] * counts[j]
            written += 1
    return written


def mixed(order="C"):
    rng = np.random.default_rng(3)
    matrix = np.array(rng.normal(size=(4, 3)), order=order)
    counts, flags = np.array([1, 2, 3]), np.array([True, False, True, True])
    return matrix, counts, flags, np.full(4, -1.0)


@pytest.mark.parametrize("order", ["C", "F"])
def test_it_does_what_the_kernel_does_with_numbers_of_all_kinds(order):
    matrix, counts, flags, result = mixed(order)
    bound = bind(_mix, matrix, GIVEN, counts, flags, result)
    assert bound(2.0) == 3
    expected = 2.0 * matrix @ counts
    expected[1] = -1.0
    np.testing.assert_allclose(result, expected)
    matrix *= 2.0  # the same memory, other numbers
    bound(1.0)
    np.testing.assert_allclose(result, expected)


@kernel
def _kinds(real, whole, truth, result):
    result[0], result[1], result[2] = real, whole, 1.0 if truth else 0.0
    return truth


@pytest.mark.parametrize("real", [2.5, -0.0, 5e-324, np.inf, -1.7e308])
@pytest.mark.parametrize(("whole", "truth"), [(3, True), (-(2**63), False)])
def test_numbers_can_be_bound_too(real, whole, truth):
    result = np.full(3, np.nan)
    assert bind(_kinds, real, whole, truth, result)() is truth
    np.testing.assert_array_equal(result, [real, whole, truth])
    assert np.signbit(result[0]) == np.signbit(real)


def test_arrays_can_be_given_too():
    matrix, counts, flags, result = mixed()
    bind(_mix, GIVEN, GIVEN, counts, flags, GIVEN)(matrix, 1.0, result)
    expected = matrix @ counts
    expected[1] = -1.0
    np.testing.assert_allclose(result, expected)


def test_parts_of_arrays_are_read_where_they_stand():
    whole = np.arange(24.0).reshape(2, 3, 4)
    effort, bias, out = np.ones(3), np.zeros(3), np.zeros((2, 3))
    bind(accelerate, whole[1][:, :3].copy(), effort, bias, out[1])()
    np.testing.assert_allclose(out[1], whole[1, :, :3].sum(axis=1))
    np.testing.assert_array_equal(out[0], 0.0)


def test_an_array_without_entries_is_one():
    bound = bind(_mix, np.zeros((0, 3)), GIVEN, np.zeros(3, int), np.zeros(0, bool), np.zeros(0))
    assert bound(1.0) == 0


def test_memory_lives_as_long_as_the_kernel():
    def made():
        matrix, counts, flags, result = mixed()
        return bind(_mix, matrix, GIVEN, counts, flags, result), matrix @ counts

    kept = [made() for _ in range(20)]
    for bound, expected in kept:
        bound(1.0)
        np.testing.assert_allclose(bound.kept[-1][[0, 2, 3]], expected[[0, 2, 3]])


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        (np.zeros((4, 4))[:, :3], "strides"),
        (np.zeros(8)[::2], "strides"),
        ("2.0", "expected an array, a number, or GIVEN"),
        (np.zeros((4, 3), dtype=np.float32), "float32"),
        (np.zeros((4, 3), dtype=">f8"), ">f8"),
    ],
)
def test_what_no_kernel_can_be_bound_to_is_refused(argument, words):
    with pytest.raises(TypeError, match=words):
        bind(_mix, argument, GIVEN, *mixed()[1:])


def test_too_few_or_too_many_arguments_are_refused():
    with pytest.raises(TypeError, match="found 2 arguments; _mix takes 5"):
        bind(_mix, *mixed()[:2])


def test_other_threads_run_beside_what_is_bound_to_a_kernel_of_the_background():
    assert _unpacking(project, (None,) * 19).targetoptions["nogil"]
    assert not _unpacking(_mix, (None,) * 5).targetoptions["nogil"]


def test_only_what_calls_a_kernel_of_the_package_is_looked_for_on_disk():
    arrays = np.ones((2, 2)), np.ones(2), np.zeros(2), np.zeros(2)
    for function, given, is_cached in ((accelerate, arrays, True), (_mix, mixed(), False)):
        layouts = [None] * len(given)
        if function is _mix:
            layouts.append(None)
        bound = _unpacking(function, tuple(layouts))
        assert bool(getattr(bound._cache, "cache_path", "")) is is_cached


def test_few_kernels_are_kept_and_those_asked_for_are_found():
    kept = BoundKernels()
    matrix, counts, flags, result = mixed()
    for i in range(100):
        assert kept.get(i) is None
        bound = kept.bind(i, _mix, matrix, GIVEN, counts, flags, result)
        assert kept.get(i) is bound
    assert len(kept) <= 8
