"""SteadyClock: the operating system's monotonic clock, absolute deadlines."""

import threading
from time import monotonic, sleep

from controlit_ros.parameters import Access
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings, enter_real_time
from controlit_ros.servo.servo_clock import ServoClock


class SteadyClock(ServoClock):
    """Runs the servo on a thread of its own, cycle k at `t0 + k / frequency`.

    Sleeping ends a little early and the rest is spun away, because a sleeping thread wakes late.
    Deadlines are absolute, so the rate does not drift; a cycle that overruns is counted and the
    deadlines it missed are skipped.
    """

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__(frequency, real_time)
        self._spin = self.declare(
            "spin_time",
            50e-6,
            lower=0.0,
            upper=0.5 / frequency,
            unit="s",
            access=Access.CONFIGURATION,
            description="end of each wait that is spun instead of slept",
        )
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._initialised = threading.Event()

    def start(self, coordinator: Coordinator) -> None:
        """Start the servo thread and wait until it is initialised."""
        self._stopping = False
        self._initialised.clear()
        self._thread = threading.Thread(
            target=self._run, args=(coordinator,), name="servo", daemon=True
        )
        self._thread.start()
        self._initialised.wait()

    def stop(self) -> None:
        """End the servo thread after the cycle under way."""
        self._stopping = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, coordinator: Coordinator) -> None:
        self.warnings = enter_real_time(self.real_time)
        period = 1.0 / self.frequency
        spin = self._spin.value
        latency = coordinator.latency
        deadline = monotonic()
        coordinator.servo_init(deadline)
        self._initialised.set()
        while not self._stopping:
            now = monotonic()
            latency.lateness = now - deadline
            coordinator.servo_update(now)
            deadline += period
            remaining = deadline - monotonic()
            if remaining < 0.0:
                latency.overruns += 1
                missed = int(-remaining / period) + 1
                deadline += missed * period
                remaining += missed * period
            if remaining > spin:
                sleep(remaining - spin)
            while monotonic() < deadline:
                pass
