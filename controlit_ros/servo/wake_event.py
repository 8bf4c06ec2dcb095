"""Wake events: how the servo wakes the thread that delivers what it offered."""

import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress

from controlit_ros.servo.shared_memory import shared_memory
from controlit_ros.servo.wake_signal import WakeSignal, wake_signal

I_SETS, I_WAITING, WORDS = range(3)


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
    """Between a process and one that it forks off: a signal, sent only if somebody waits.

    Args:
        signal: Wakes who waits.
    """

    def __init__(self, signal: WakeSignal | None = None) -> None:
        self._words = shared_memory(8 * WORDS).cast("Q")
        self._signal = wake_signal() if signal is None else signal
        self._known = 0

    def set(self) -> None:
        """End the wait under way or the next one; one system call if somebody waits."""
        words = self._words
        words[I_SETS] += 1
        if words[I_WAITING]:
            words[I_WAITING] = 0
            self._signal.send()

    def wait(self, timeout: float) -> bool:
        """Wait until it is set."""
        words, before, end = self._words, self._known, time.monotonic() + timeout
        words[I_WAITING] = 1
        while words[I_SETS] == before:
            if not self._signal.wait(max(end - time.monotonic(), 0.0)):
                break
            words[I_WAITING] = 1  # again, if that was of a set that was seen before
        words[I_WAITING] = 0
        self._known = words[I_SETS]
        return self._known != before
