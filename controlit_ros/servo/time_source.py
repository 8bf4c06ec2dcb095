"""TimeSource: where a servo clock learns what time it is."""

import math
import time
from typing import Protocol

from controlit_ros.servo.shared_memory import private_memory, shared_memory
from controlit_ros.servo.wake_event import ProcessWakeEvent, ThreadWakeEvent, WakeEvent


class TimeSource(Protocol):
    """A time that may run at any speed, stand still or jump; read by one thread."""

    @property
    def now(self) -> float | None:
        """The present time [s], `None` while it is not known."""

    def wait(self, due: float, patience: float) -> None:
        """Wait until it may be `due` [s], at most so long as `patience` [s of real time]."""

    def interrupt(self) -> None:
        """End a wait that is under way; any thread."""


class SystemTime:
    """The operating system's time of day, ROS time where nothing is simulated."""

    @property
    def now(self) -> float:
        """The time of day [s since 1970]."""
        return time.time()

    def wait(self, due: float, patience: float) -> None:
        """Sleep until a time of day."""
        time.sleep(min(max(due - time.time(), 0.0), patience))

    def interrupt(self) -> None:
        """Do nothing: nobody sleeps here for long."""


class FedTime:
    """A time that another thread tells, piece by piece: simulated time."""

    def __init__(self) -> None:
        self.place(is_shared=False)

    def place(self, *, is_shared: bool) -> None:
        """Begin anew without a time, told in this process or to one that it forks off."""
        memory = shared_memory if is_shared else private_memory
        self._wake_event: WakeEvent = ProcessWakeEvent() if is_shared else ThreadWakeEvent()
        self._number = memory(8).cast("d")
        self._number[0] = math.nan

    @property
    def now(self) -> float | None:
        """The time last told [s], `None` before the first."""
        now = self._number[0]
        return None if math.isnan(now) else now

    def tell(self, now: float) -> None:
        """Set the time [s]; one thread only, never blocks."""
        self._number[0] = now
        self._wake_event.set()

    def wait(self, due: float, patience: float) -> None:  # noqa: ARG002 - as the protocol has it
        """Wait until the time is told."""
        self._wake_event.wait(patience)

    def interrupt(self) -> None:
        """End a wait that is under way."""
        self._wake_event.set()
