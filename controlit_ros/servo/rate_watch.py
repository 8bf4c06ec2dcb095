"""RateWatch: whether the servo reaches its frequency, seen from another thread or process."""

from collections.abc import Iterator

from controlit_ros.servo.rate_settings import RateSettings
from controlit_ros.servo.servo_clock import ServoClock
from controlit_ros.servo.servo_status import ServoStatus

WINDOW = 1.0  # [s] at least, by the servo's clock, over which rate and gaps are judged
SETTLING = 1.0  # [s] after a start in which caches fill: its gaps are no news


class RateWatch:
    """Judges mean rate and longest gap of the cycles, window by window; one thread.

    Simulated time has no rate to be reached: it is stepped, or runs as fast as the simulator.
    Nor has a window in which time restarted or the servo paused, which is an error of its own.

    Args:
        status: Of the servo; its gap is taken.
        clock: Of the servo.
        settings: When it is too slow.

    Attributes:
        complaint: About the last window; empty: it was good.
    """

    def __init__(self, status: ServoStatus, clock: ServoClock, settings: RateSettings) -> None:
        self.complaint = ""
        self._status = status
        self._clock = clock
        self._settings = settings
        self._settled = False
        self._begin()

    def _begin(self) -> None:
        status = self._status
        self._since, self._starts = self._clock.now, status.starts
        self._cycles, self._overruns = status.cycles, status.overruns
        self._pauses, self._missed = status.pauses, status.missed
        status.take_gap()

    def look(self, *, is_running: bool) -> str:
        """Judge the time since the last window, once that is long enough.

        Args:
            is_running: Whether the servo is to make cycles.

        Returns:
            A complaint about a window that has just ended; empty: none, or none has ended.
        """
        clock, status = self._clock, self._status
        is_simulated = clock.is_stepped or clock.time_feed is not None
        if is_simulated or not is_running or not status.cycles:
            self._settled, self.complaint = False, ""
            self._begin()
            return ""
        elapsed = clock.now - self._since
        is_same = (status.starts, status.pauses) == (self._starts, self._pauses)
        if not clock.is_ticking or not is_same or elapsed < 0.0:
            self._settled, self.complaint = False, ""
            self._begin()
        elif not self._settled:
            if elapsed >= SETTLING:
                self._settled = True
                self._begin()
        elif elapsed >= WINDOW:
            rate = (status.cycles - self._cycles) / elapsed
            text = self._settings.shortfall(rate, status.take_gap(), clock.frequency)
            self.complaint = "; ".join([text, *self._causes()]) if text else ""
            self._begin()
            return self.complaint
        return ""

    def _causes(self) -> Iterator[str]:
        """Yield what is known to be behind it."""
        status = self._status
        overruns, missed = status.overruns - self._overruns, status.missed - self._missed
        if overruns:
            yield f"{overruns} cycles took longer than a period (diagnostics/servoComputeLatency)"
        if missed > overruns:
            yield f"the servo was woken too late for {missed - overruns} deadlines"
            if self._clock.real_time.priority <= 0:
                yield "its thread has no real-time priority (realtime_priority)"
