"""Wake events: how the servo wakes the thread that delivers what it offered."""

import os
import select
import sys
import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress

from controlit_ros.servo.shared_memory import shared_memory

I_SETS, I_WAITING, WORDS = range(3)
ONE = (1).to_bytes(8, sys.byteorder)
MOST = 512  # [bytes] of sets that nobody waited for
MILLI = 1e3  # [ms/s]


class WakeEvent(ABC):
    """Wakes one waiting thread; set before the wait, it ends the wait at once."""

    @abstractmethod
    def set(self) -> None:
        """End the wait under way or the next one; never blocks."""

    @abstractmethod
    def wait(self, timeout: float) -> bool:
        """Wait until it is set, at most so long [s]; return whether it did."""


class ThreadWakeEvent(WakeEvent):
    """Between threads of one process: a lock, used as a binary semaphore."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def set(self) -> None:
        """End the wait under way or the next one."""
        if self._lock.locked():
            with suppress(RuntimeError):  # another thread released it meanwhile
                self._lock.release()

    def wait(self, timeout: float) -> bool:
        """Wait until it is set."""
        return self._lock.acquire(timeout=timeout)


class ProcessWakeEvent(WakeEvent):
    """Between a process and one that it forks off, by a system call only if somebody waits.

    That writes to a counter of Linux, which costs the thread that it wakes a third less than a
    pipe, or where there is none to a pipe.
    """

    def __init__(self) -> None:
        self._words = shared_memory(8 * WORDS).cast("Q")
        self._reader, self._writer = _counter() if hasattr(os, "eventfd") else os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._readable = select.poll()
        self._readable.register(self._reader, select.POLLIN)
        self._known = 0

    def set(self) -> None:
        """End the wait under way or the next one; one system call if somebody waits."""
        words = self._words
        words[I_SETS] += 1
        if words[I_WAITING]:
            words[I_WAITING] = 0
            with suppress(BlockingIOError):  # full: it is set already
                os.write(self._writer, ONE)

    def wait(self, timeout: float) -> bool:
        """Wait until it is set."""
        words, before, end = self._words, self._known, time.monotonic() + timeout
        words[I_WAITING] = 1
        while words[I_SETS] == before:
            if not self._readable.poll(max(MILLI * (end - time.monotonic()), 0.0)):
                break
            try:  # noqa: SIM105 - `suppress` takes as long as the rest
                os.read(self._reader, MOST)
            except BlockingIOError:
                pass
            words[I_WAITING] = 1  # again, if that was of a set that was seen before
        words[I_WAITING] = 0
        self._known = words[I_SETS]
        return self._known != before

    def __del__(self) -> None:
        for descriptor in {self._reader, self._writer}:
            with suppress(OSError):
                os.close(descriptor)


def _counter() -> tuple[int, int]:
    """Return the two ends of a counter of Linux, which are one."""
    descriptor = os.eventfd(0)
    return descriptor, descriptor
