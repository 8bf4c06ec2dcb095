"""Signals between a process and those that it forks off, each of which ends one wait."""

import os
import select
import sys
from contextlib import suppress
from typing import Protocol

ONE = (1).to_bytes(8, sys.byteorder)
MOST = 512  # [bytes] of signals that nobody waited for
MILLI = 1e3  # [ms/s]


class WakeSignal(Protocol):
    """Wakes who waits; what was sent before may end the next wait."""

    def send(self) -> None:
        """End a wait; never blocks."""

    def wait(self, timeout: float) -> bool:
        """Wait at most so long [s]; return whether a signal came."""


class CounterSignal:
    """A counter of Linux, whose changes are waited for: one system call, where a pipe takes two."""

    def __init__(self) -> None:
        self._counter = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._changes = select.epoll()
        self._changes.register(self._counter, select.EPOLLIN | select.EPOLLET)

    def send(self) -> None:
        """Count."""
        os.write(self._counter, ONE)

    def wait(self, timeout: float) -> bool:
        """Wait for a change; nothing has to be read."""
        return bool(self._changes.poll(timeout, 1))

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._counter)


class PipeSignal:
    """A pipe, for other systems."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._readable = select.poll()
        self._readable.register(self._reader, select.POLLIN)

    def send(self) -> None:
        """Write a byte."""
        with suppress(BlockingIOError):  # full: who waits is woken anyway
            os.write(self._writer, b"\0")

    def wait(self, timeout: float) -> bool:
        """Wait for bytes and take them out."""
        if not self._readable.poll(MILLI * timeout):
            return False
        with suppress(BlockingIOError):
            os.read(self._reader, MOST)
        return True

    def __del__(self) -> None:
        for descriptor in (self._reader, self._writer):
            with suppress(OSError):
                os.close(descriptor)


def wake_signal() -> WakeSignal:
    """Return the cheapest there is."""
    return CounterSignal() if hasattr(os, "eventfd") else PipeSignal()
