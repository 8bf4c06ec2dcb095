"""Watchdog: notices an updater thread that does not come back."""

from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.servo.task_updater import TaskUpdater


class Watchdog:
    """Measures how long an updater has been at its request; servo thread.

    Args:
        timeout: Longest time a request may take [s].
    """

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._idle_at = 0.0

    def begin(self, now: float) -> None:
        """Count from now: the thread could not work before."""
        self._idle_at = now

    def complaint(self, updater: ModelUpdater | TaskUpdater, now: float) -> str:
        """Return what is wrong with the thread of an updater; empty: nothing."""
        if updater.is_idle:
            self._idle_at = now
            return ""
        busy = now - self._idle_at
        if busy <= self._timeout:
            return ""
        return (
            f"the thread {updater.name} has been at one update for {busy:.3f} s, "
            f"expected at most {self._timeout:g} s"
        )
