"""Precedence over the machine's other work, where it is asked for and the system grants it."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from controlit_ros.servo.real_time import (
    COMPANION_PRIORITY,
    SWITCH_INTERVAL,
    raise_companions,
)

NICENESS = -10  # [-] ten times the share of an ordinary process; below every real-time priority
_THREADS = Path("/proc/self/task")  # Linux


class _Standing(NamedTuple):
    """How the system ranks a thread.

    Attributes:
        policy: Of the scheduler.
        priority: Within that policy.
        niceness: Among ordinary threads.
    """

    policy: int
    priority: int
    niceness: int


def take_precedence(pid: int) -> None:
    """Put a process or thread before ordinary ones; threads it starts later inherit that.

    Without the right to do so nothing changes: on an idle machine nothing is lost.
    """
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)


@contextmanager
def precedence(*, wanted: bool) -> Iterator[None]:
    """Put this thread and those it starts meanwhile before ordinary ones.

    Afterwards every thread of the process is ranked as it was, those begun meanwhile as this one.

    Args:
        wanted: Whether to do so at all.
    """
    if not wanted:
        yield
        return
    before = _standings()
    take_precedence(threading.get_native_id())
    try:
        yield
    finally:
        _put_back(before)


@contextmanager
def punctual(*, wanted: bool) -> Iterator[None]:
    """Run at the lowest real-time priority, with all threads there are and those begun meanwhile.

    A goal that waits for a busy machine is a goal missed, and any thread may hold the interpreter
    when the machine takes its processor away. Threads of Python change places sooner, too, so that
    who receives messages does not keep the interpreter from who sends goals. Afterwards everything
    is as it was.

    Args:
        wanted: Whether to do so at all.
    """
    if not wanted:
        yield
        return
    interval, before = sys.getswitchinterval(), _standings()
    sys.setswitchinterval(SWITCH_INTERVAL)
    raise_companions()
    with suppress(OSError, AttributeError):  # not permitted, or not Linux
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(COMPANION_PRIORITY))
    try:
        yield
    finally:
        _put_back(before)
        sys.setswitchinterval(interval)


def _threads() -> list[int]:
    if not _THREADS.exists():
        return [0]
    return [int(entry.name) for entry in _THREADS.iterdir()]


def _standings() -> dict[int, _Standing]:
    found = {}
    for thread in _threads():
        with suppress(OSError, AttributeError):  # it has ended, or not Linux
            found[thread] = _Standing(
                os.sched_getscheduler(thread),
                os.sched_getparam(thread).sched_priority,
                os.getpriority(os.PRIO_PROCESS, thread),
            )
    return found


def _put_back(before: dict[int, _Standing]) -> None:
    own = before.get(threading.get_native_id())
    for thread in _threads():
        standing = before.get(thread, own)
        if standing is not None:
            with suppress(OSError, AttributeError):
                parameter = os.sched_param(standing.priority)
                os.sched_setscheduler(thread, standing.policy, parameter)
                os.setpriority(os.PRIO_PROCESS, thread, standing.niceness)
