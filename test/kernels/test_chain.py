"""A chain runs its kernels in order, and stops where one says so."""

import threading

import numpy as np
import pytest

from controlit_ros.kernels import GIVEN, bind, chain, chain_from
from controlit_ros.kernels.compile import background_kernel, kernel


@kernel
def _note(seen, number, result):
    """Append a number to those seen; return what is wanted."""
    count = int(seen[0])
    seen[1 + count] = number
    seen[0] = count + 1
    return result


@kernel
def _nothing(seen):
    seen[0] = -1.0


@kernel
def _divide(seen, by):
    seen[0] = 1.0 / by
    return True


@background_kernel
def _count_long(total, most):
    i = 0
    while i < most:
        total[0] += np.sin(total[0] + i)
        i += 1
    return True


def noted(results):
    seen = np.zeros(1 + len(results))
    links = [bind(_note, seen, 10.0 * i, result) for i, result in enumerate(results)]
    return seen, links


def test_kernels_run_in_their_order():
    seen, links = noted([True] * 5)
    assert chain(*links)() is True
    np.testing.assert_array_equal(seen, [5, 0, 10, 20, 30, 40])


def test_nothing_runs_after_a_kernel_that_returns_false():
    seen, links = noted([True, True, False, True])
    assert chain(*links)() is False
    np.testing.assert_array_equal(seen, [3, 0, 10, 20, 0])


def test_a_chain_goes_on_from_where_it_stopped():
    seen, links = noted([True, False, True, False, True])
    run = chain_from(*links)
    at = [run(0)]
    while at[-1] < len(links):
        at.append(run(at[-1] + 1))
    assert at == [1, 3, 5]
    np.testing.assert_array_equal(seen, [5, 0, 10, 20, 30, 40])
    assert run(len(links)) == len(links)
    assert seen[0] == 5
    assert chain_from()(0) == 0


def test_a_chain_without_links_is_well():
    assert chain()() is True


def test_what_a_kernel_raises_is_raised_and_nothing_runs_after_it():
    seen = np.zeros(1)
    assert chain(bind(_divide, seen, 2.0))() is True
    assert seen[0] == 0.5
    broken = chain(bind(_divide, seen, 0.0), bind(_divide, seen, 4.0))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            broken()
        assert seen[0] == 0.5
    assert chain(bind(_divide, seen, 4.0))() is True


def test_what_a_kernel_of_the_background_raises_is_raised():
    total = np.zeros(1)
    run = chain(bind(_count_long, total, 3), bind(_divide, total, 0.0))
    with pytest.raises(ZeroDivisionError):
        run()
    assert total[0] != 0.0


def test_what_it_computes_is_what_a_call_of_each_computes():
    seen, links = noted([True] * 3)
    for link in links:
        link()
    expected = seen.copy()
    seen.fill(0.0)
    chain(*links)()
    np.testing.assert_array_equal(seen, expected)


def test_memory_and_code_live_as_long_as_the_chain():
    chains = []
    for _ in range(50):
        seen, links = noted([True] * 3)
        chains.append((chain(*links), seen))
        del links
    for run, seen in chains:
        assert run() is True
        np.testing.assert_array_equal(seen, [3, 0, 10, 20])


def test_kernels_that_want_arguments_or_return_something_else_are_refused():
    seen, links = noted([True])
    with pytest.raises(TypeError, match="has to be given arguments"):
        chain(*links, bind(_note, seen, GIVEN, True))
    with pytest.raises(TypeError, match="expected a truth value"):
        chain(bind(_nothing, seen))


@pytest.mark.processes
def test_no_other_thread_runs_beside_a_chain():
    total = np.zeros(1)
    run = chain(bind(_count_long, total, 30_000_000))
    began, ended = threading.Event(), threading.Event()

    def wait():
        began.set()
        while not ended.wait(0.0005):
            turns[0] += 1

    turns = [0]
    beside = threading.Thread(target=wait)
    beside.start()
    began.wait()
    before = turns[0]
    run()
    found = turns[0] - before
    ended.set()
    beside.join()
    assert found <= 2
