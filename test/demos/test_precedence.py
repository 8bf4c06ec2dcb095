"""Precedence is taken only when wanted, and afterwards every thread is ranked as it was."""

import os
import sys
import threading
from contextlib import contextmanager, suppress

import pytest

from controlit_demos.running.precedence import NICENESS, precedence, punctual


def may_take_precedence():
    """Whether this machine grants it, tried in a thread of its own, which ends with it."""
    granted = []

    def look():
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            return
        granted.append(True)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return bool(granted)


permitted = pytest.mark.skipif(not may_take_precedence(), reason="not permitted here")


class Idle:
    """A thread that waits."""

    def __init__(self):
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._end.wait)
        self._thread.start()

    @property
    def standing(self):
        return standing(self._thread.native_id)

    def close(self):
        self._end.set()
        self._thread.join()


def standing(thread):
    return (
        os.sched_getscheduler(thread),
        os.sched_getparam(thread).sched_priority,
        os.getpriority(os.PRIO_PROCESS, thread),
    )


def own():
    return standing(threading.get_native_id())


@pytest.fixture(autouse=True)
def be_ordinary():
    """A servo that ran in this process before may have given its threads real-time priority."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def idle():
    thread = Idle()
    try:
        yield thread
    finally:
        thread.close()


@permitted
@pytest.mark.parametrize("taken", [precedence, punctual])
@pytest.mark.parametrize("how", ["in order", "by an error"])
def test_everything_is_put_back(taken, how):
    before, interval = own(), sys.getswitchinterval()
    with idle() as old:
        ranked = old.standing
        with suppress(KeyError), taken(wanted=True):
            assert own() != before
            young = Idle()
            assert young.standing == own()  # it inherits
            if how == "by an error":
                raise KeyError
        assert own() == before
        assert old.standing == ranked
        assert young.standing == before
        young.close()
    assert sys.getswitchinterval() == interval


@permitted
def test_threads_that_are_there_become_punctual_and_are_put_back():
    with idle() as old:
        ranked = old.standing
        with punctual(wanted=True):
            assert old.standing[0] == os.SCHED_FIFO
        assert old.standing == ranked


@pytest.mark.parametrize("taken", [precedence, punctual])
def test_nothing_is_taken_that_nobody_wants(taken):
    before, interval = own(), sys.getswitchinterval()
    with idle() as old:
        ranked = old.standing
        with taken(wanted=False):
            assert (own(), old.standing) == (before, ranked)
            assert sys.getswitchinterval() == interval


@pytest.mark.parametrize("taken", [precedence, punctual])
def test_a_machine_that_refuses_is_borne(taken, monkeypatch):
    def refuse(*_arguments):
        raise PermissionError

    before = own()
    monkeypatch.setattr(os, "setpriority", refuse)
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with taken(wanted=True):
        assert own() == before
    assert own() == before
