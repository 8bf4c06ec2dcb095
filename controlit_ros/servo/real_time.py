"""Real-time set-up of the servo thread and its process, as far as it is permitted."""

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from controlit_ros.collections_of_garbage import look_as_usual

# Current and future pages, once they are used: whole stacks and libraries in memory would be three
# times as much, and the servo has used what it needs when its warm-up is over.
_MCL_CURRENT_FUTURE_ONFAULT = 1 | 2 | 4
_PR_SET_NAME = 15
_PR_SET_TIMERSLACK = 29
COMPANION_PRIORITY = 1  # [-] above every ordinary thread, below everything else
# [s] how long another Python thread may keep the interpreter from the servo. At 1e-5 the threads
# of a servo with busy topics change places 70 000 times a second and none gets on: cycles came
# 300 ms late where 5e-4 keeps p99.9 below 4 ms on two loaded cores.
SWITCH_INTERVAL = 5e-4
BRIEF_INTERVAL = 5e-5  # [s] a servo that waits five times in a cycle still makes it


class RealTimeSettings(NamedTuple):
    """What the servo thread asks of the operating system.

    Attributes:
        priority: SCHED_FIFO priority, 1 to 99; 0 leaves the scheduler alone.
        affinity: Processors the thread may run on; empty leaves them alone.
        awake: Whether processors shall not sleep while the servo runs.
    """

    priority: int
    affinity: tuple[int, ...]
    awake: bool = False


NOT_REAL_TIME = RealTimeSettings(0, ())


@contextmanager
def brief_turns() -> Iterator[None]:
    """Let other threads have the interpreter soon, for work of milliseconds beside a servo."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, BRIEF_INTERVAL))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def enter_real_time(settings: RealTimeSettings) -> tuple[str, ...]:
    """Set up the calling thread; return one sentence for each thing that was refused."""
    refused = []
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()
    look_as_usual()  # a hundred thousand objects at once would take as long as many cycles
    _wake_on_time()
    if settings.affinity:
        try:
            os.sched_setaffinity(0, settings.affinity)
        except (AttributeError, OSError, ValueError, OverflowError) as error:
            refused.append(f"processor affinity {list(settings.affinity)}: {error}")
    if settings.priority > 0:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(settings.priority))
        except (AttributeError, OSError) as error:
            refused.append(f"SCHED_FIFO priority {settings.priority}: {error}")
        else:
            raise_companions()
        if not _lock_memory():
            refused.append("locking memory (mlockall)")
    return tuple(refused)


@contextmanager
def kept_off(processors: Collection[int]) -> Iterator[None]:
    """Leave processors to the servo within: run elsewhere, if there is anywhere else.

    What this thread starts there, threads and processes, does so, too. Who runs on the servo's
    processor while it waits leaves it cold caches. Processors that the system refuses will not be
    the servo's either, and are left to nobody.
    """
    before: set[int] = set()
    with suppress(AttributeError, OSError, ValueError, OverflowError):
        allowed = os.sched_getaffinity(0)
        others = allowed.difference(processors)
        if processors and others:
            os.sched_setaffinity(0, processors)
            before = allowed
            os.sched_setaffinity(0, others)
    try:
        yield
    finally:
        if before:
            os.sched_setaffinity(0, before)


def name_process(name: str) -> None:
    """Give the process a name for the tools of the system, at most 15 characters."""
    with suppress(AttributeError, OSError, TypeError):  # not Linux
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)


def raise_companions() -> None:
    """Give the other threads of the process the lowest real-time priority, where permitted.

    One of them may hold the interpreter when a busy machine takes the processor from it; the servo
    would wait for it however high its own priority is. In the process of the transport, they bring
    what the servo tells while it is news.
    """
    own = threading.get_native_id()
    threads = Path("/proc/self/task")  # Linux
    for entry in threads.iterdir() if threads.exists() else ():
        if int(entry.name) != own:
            with suppress(OSError):  # it ended meanwhile
                os.sched_setscheduler(
                    int(entry.name), os.SCHED_FIFO, os.sched_param(COMPANION_PRIORITY)
                )


def _wake_on_time() -> None:
    """Ask for exact timers in this thread; Linux lets those of ordinary threads be 50 µs late."""
    with suppress(AttributeError, OSError, TypeError):  # not Linux
        ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(1), 0, 0, 0)


def _lock_memory() -> bool:
    try:
        library = ctypes.CDLL(None, use_errno=True)  # the program itself has the C library
        return int(library.mlockall(_MCL_CURRENT_FUTURE_ONFAULT)) == 0
    except (AttributeError, OSError, TypeError):
        return False
