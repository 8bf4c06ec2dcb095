"""Precedence over the machine's other work, where the system grants it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from controlit_ros.servo.real_time import (
    COMPANION_PRIORITY,
    SWITCH_INTERVAL,
    raise_companions,
)

NICENESS = -10  # [-] ten times the share of an ordinary process; below every real-time priority


def take_precedence(pid: int) -> None:
    """Put a process or thread before ordinary ones; threads it starts later inherit that.

    Without the right to do so nothing changes: on an idle machine nothing is lost.
    """
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)


@contextmanager
def punctual() -> Iterator[None]:
    """Run at the lowest real-time priority, with all threads there are and those begun meanwhile.

    A goal that waits for a busy machine is a goal missed, and any thread may hold the interpreter
    when the machine takes its processor away. Threads of Python change places sooner, too, so that
    who receives messages does not keep the interpreter from who sends goals. Afterwards the calling
    thread is what it was.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    raise_companions()
    with _raised():
        try:
            yield
        finally:
            sys.setswitchinterval(interval)


@contextmanager
def _raised() -> Iterator[None]:
    try:
        policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(COMPANION_PRIORITY))
    except (OSError, AttributeError):  # not permitted, or not Linux
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)
