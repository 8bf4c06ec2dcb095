"""SpareTime: what a servo leaves of the interpreter, for other work in its process."""

import math
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

MARGIN = 50e-6  # [s] the longest step between two looks that is common, and a change of threads
PATIENCE = 5e-3  # [s] a servo that never rests does not keep other work from coming to its end
TURN = 50e-6  # [s] that such work takes then


class SpareTime:
    """Lets work of another thread go on only while the servo rests between two cycles.

    Python lets one thread run at a time. A servo that wants to go on waits until the other one lets
    go of the interpreter, many times in a cycle; work of some milliseconds makes it late. Work that
    is done within `only` looks at the time whenever it calls a function, and waits where the servo
    is at work or soon will be. So it may be anybody's code, in steps of any length.

    Time is spare until a servo says otherwise, as one that is not there or does not run in real
    time never does.

    Attributes:
        is_wanted: Whether there is such work: a servo that can do without what it does in its rests
            had better leave it.
    """

    def __init__(self) -> None:
        self.is_wanted = False
        self._until = math.inf
        self._is_awaited = False
        self._gate = threading.Lock()
        self._gate.acquire()
        self._turn_ends = 0.0

    def begin(self, until: float) -> None:
        """Rest until a time on the monotonic clock [s]; servo thread, never blocks."""
        self._until = until - MARGIN
        if self._is_awaited:
            self._is_awaited = False
            with suppress(RuntimeError):  # it is open already
                self._gate.release()

    def end(self) -> None:
        """Rest no more; servo thread."""
        self._until = 0.0

    @contextmanager
    def only(self) -> Iterator[None]:
        """Do the work of the block in spare time, on this thread; a profiler's is left alone."""
        if sys.getprofile() is not None:
            yield
            return
        self.is_wanted = True
        sys.setprofile(self._look)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.is_wanted = False

    def _look(self, _frame: Any, _event: str, _argument: Any) -> None:
        """Wait for spare time; at each call of a function, and at its end."""
        now = monotonic()
        if now >= self._until and now >= self._turn_ends:
            self._wait(now)

    def _wait(self, now: float) -> None:
        end = now + PATIENCE
        while self._until <= now < end:
            self._is_awaited = True  # and seen at the latest when the next rest begins
            self._gate.acquire(timeout=end - now)
            now = monotonic()
        self._turn_ends = 0.0 if now < self._until else now + TURN
