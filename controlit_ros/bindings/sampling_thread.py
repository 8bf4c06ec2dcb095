"""SamplingThread: calls a step again and again while there is something to do."""

import threading
import time
from collections.abc import Callable

from controlit_ros.running_thread import running_thread

PERIOD = 0.01  # [s] between samples: tasks interpolate by their own dynamics


class SamplingThread:
    """A thread of the front, not of the servo, that sends goals.

    Args:
        name: Of the thread.
        step: Does what is due; returns whether there is more to come.
    """

    def __init__(self, name: str, step: Callable[[], bool]) -> None:
        self._name = name
        self._step = step
        self._has_work = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    @property
    def is_stopping(self) -> bool:
        """Whether it ends, or has ended."""
        return self._stopping

    def wake(self) -> None:
        """There is something to do from now on."""
        self._has_work.set()

    def start(self) -> None:
        """Begin; idempotent."""
        if self._thread is None:
            self._stopping = False
            self._thread = running_thread(self._run, self._name)

    def stop(self) -> None:
        """End; idempotent."""
        self._stopping = True
        self._has_work.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stopping:
            if not self._has_work.is_set():
                self._has_work.wait()
                due = time.monotonic()
            self._has_work.clear()  # what is begun from here on is seen by the step or wakes anew
            if self._step():
                self._has_work.set()
            due = max(due + PERIOD, time.monotonic())
            time.sleep(max(due - time.monotonic(), 0.0))
