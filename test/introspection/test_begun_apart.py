"""BegunApart: who waits for the first time does nothing else, and nobody waits with it."""

import threading

import pytest
from patience import GENEROUS

from controlit_ros.introspection import BegunApart


class Work:
    """Takes as long as it is told to, and knows who did it."""

    def __init__(self):
        self.may_end = threading.Event()
        self.done_by = []

    def __call__(self):
        self.done_by.append(threading.current_thread().name)
        assert self.may_end.wait(GENEROUS)


def test_only_the_first_is_done_apart():
    begun, first, others = BegunApart("first"), Work(), Work()
    others.may_end.set()
    begun(first)
    for _ in range(3):
        begun(others)
    assert others.done_by == []
    first.may_end.set()
    begun._thread.join(GENEROUS)
    for _ in range(3):
        begun(others)
    assert first.done_by == ["first"]
    assert others.done_by == 3 * [threading.current_thread().name]


def test_what_fails_is_told_to_who_comes_next():
    begun, done = BegunApart("first"), []
    begun(lambda: 1 / 0)
    begun._thread.join(GENEROUS)
    with pytest.raises(ZeroDivisionError):
        begun(lambda: done.append("with it"))
    begun(lambda: done.append("after it"))
    assert done == ["after it"]
    with pytest.raises(ZeroDivisionError):
        begun(lambda: 1 / 0)
