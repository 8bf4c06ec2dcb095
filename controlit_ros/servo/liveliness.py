"""Liveliness: whether a servo makes its cycles, seen by somebody else."""

import threading
from collections.abc import Callable
from time import monotonic

from controlit_ros.running_thread import running_thread
from controlit_ros.servo.servo_clock import ServoClock
from controlit_ros.servo.servo_status import ServoStatus
from controlit_ros.servo.wake_event import ThreadWakeEvent

LIMIT = 0.08  # [s] without a sign of life after which a servo is stuck: many cycles of any robot's
PERIODS = 2.5  # [-] of a slow servo, at least
LOOK_PERIOD = 0.01  # [s]
STUCK, DEAD = "stuck", "dead"
THREAD_ENDED = "the servo thread has ended, see the log"


class Liveliness:
    """Looks after a servo from a thread, and a process, of its own.

    A servo is *dead* when its thread has ended without having been told to, and *stuck* when it
    gave no sign of life for `LIMIT` (for `PERIODS` of its periods where that is longer). Time in
    which this thread itself stood still does not count, so a machine that was stopped as a whole
    accuses nobody. Both are known within 100 ms.

    Args:
        status: Of the servo.
        clock: Tells whether signs of life are to be expected.
        is_expected: Tells whether the servo shall run at present.

    Attributes:
        complaint: What is wrong; empty: nothing.
    """

    def __init__(
        self, status: ServoStatus, clock: ServoClock, is_expected: Callable[[], bool]
    ) -> None:
        self.complaint = ""
        self._status = status
        self._clock = clock
        self._is_expected = is_expected
        self._limit = max(LIMIT, PERIODS / clock.frequency)
        self._observers: list[Callable[[], None]] = []
        self._heartbeat = -1.0
        self._silence = 0.0
        self._last_look = 0.0
        self._stop = ThreadWakeEvent()
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> str:
        """Where the servo stands, in one word: that of its coordinator, or `stuck`, or `dead`."""
        if self._status.has_ended and self._is_expected():
            return DEAD
        return STUCK if self.complaint else self._status.state.value

    @property
    def is_well(self) -> bool:
        """Whether the servo makes its cycles, or is not to make any."""
        return not self.complaint

    def observe(self, observer: Callable[[], None]) -> None:
        """Call `observer` after each change; from the thread that looks."""
        self._observers.append(observer)

    def start(self) -> None:
        """Begin to look; idempotent."""
        if self._thread is None:
            self._stop = ThreadWakeEvent()
            self._thread = running_thread(self._run, "liveliness")

    def stop(self) -> None:
        """Look no more; idempotent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def look(self, now: float) -> None:
        """Judge the servo; one thread only.

        Args:
            now: Time on the machine's monotonic clock [s].
        """
        heartbeat = self._status.heartbeat
        if heartbeat != self._heartbeat or not (self._is_expected() and self._clock.beats):
            self._heartbeat = heartbeat
            self._silence = 0.0
        else:
            self._silence += min(now - self._last_look, 2.0 * LOOK_PERIOD)
        self._last_look = now
        before = self.complaint
        self.complaint = self._judge()
        if self.complaint != before:
            for observer in self._observers:
                observer()

    def _judge(self) -> str:
        if self._status.has_ended and self._is_expected():
            return THREAD_ENDED
        if self._silence > self._limit:
            self._status.note_call()
            call = self._status.call
            within = f"; it is in {call}" if call else ""
            return f"the servo has made no cycle for more than {self._limit:.2g} s{within}"
        return ""

    def _run(self) -> None:
        self._last_look = monotonic()
        while not self._stop.wait(LOOK_PERIOD):
            self.look(monotonic())
