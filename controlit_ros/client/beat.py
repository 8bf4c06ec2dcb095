"""Beat: when a client sends, and how long it waits."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from controlit_ros.running_thread import running_thread

POLL = 0.05  # [s] how often a waiting program looks by itself, whoever tells it or not

_Answer = TypeVar("_Answer")


class Beat(Protocol):
    """The time a client lives in.

    The one of wall time has a thread; a beat of simulated time lets time pass while the program
    waits, so that a run depends on nothing but the program.
    """

    def now(self) -> float:
        """Return the time, from any origin [s]."""

    def begin(self, period: float, action: Callable[[float], bool]) -> None:
        """Call an action with the time, now and each period [s], while it returns true.

        Where one is being called already, nothing changes.
        """

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait up to a time [s] until a condition holds, and return whether it does."""

    async def until(self, event: asyncio.Event, timeout: float) -> None:
        """Wait in asyncio up to a time [s] until an event is set, or not."""

    def call(self, action: Callable[[], _Answer]) -> _Answer:
        """Return the result of an action that blocks until the controller answers."""

    def notify(self) -> None:
        """Let those who wait look at their conditions; from any thread."""

    def close(self) -> None:
        """End the calls of the action; idempotent."""


class WallBeat:
    """Wall time, a `Beat`: actions run in a thread, against absolute deadlines."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def now(self) -> float:
        """Return the monotonic time [s]."""
        return time.monotonic()

    def begin(self, period: float, action: Callable[[float], bool]) -> None:
        """Call an action from a thread while it returns true (see `Beat.begin`)."""
        with self._lock:
            if self._thread is None and not self._is_closed:
                self._thread = running_thread(self._run, "goals", period, action)
        self._wanted.set()

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until a condition holds (see `Beat.wait`)."""
        deadline = self.now() + timeout
        while not condition():
            left = deadline - self.now()
            if not left > 0.0:  # nor if it is no number
                return condition()
            with self._changed:
                self._changed.wait(min(POLL, left))
        return True

    async def until(self, event: asyncio.Event, timeout: float) -> None:
        """Wait in asyncio until an event is set (see `Beat.until`)."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(event.wait(), timeout)

    def call(self, action: Callable[[], _Answer]) -> _Answer:
        """Call it."""
        return action()

    def notify(self) -> None:
        """Wake those who wait."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        self._wanted.set()
        self.notify()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self, period: float, action: Callable[[float], bool]) -> None:
        while not self._is_closed:
            self._wanted.wait()
            self._wanted.clear()  # what is begun from here on is seen by the action or wakes anew
            deadline = self.now()
            while not self._is_closed and action(self.now()):
                # rounds missed are left out: a burst of old goals would help nobody
                missed = int((self.now() - deadline) / period)
                deadline += (missed + 1) * period
                time.sleep(max(0.0, deadline - self.now()))
