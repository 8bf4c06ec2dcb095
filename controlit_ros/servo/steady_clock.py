"""SteadyClock: the operating system's monotonic clock, absolute deadlines."""

import math
from collections.abc import Callable
from time import monotonic, sleep

from controlit_ros.parameters import Access
from controlit_ros.servo.coordinator import Coordinator
from controlit_ros.servo.cycle_rehearsal import CycleRehearsal
from controlit_ros.servo.real_time import NOT_REAL_TIME, RealTimeSettings
from controlit_ros.servo.threaded_clock import ThreadedClock
from controlit_ros.servo.wake_delay import WakeDelay

BRIEFEST = 0.75  # [-] of a period between two cycles


class SteadyClock(ThreadedClock):
    """Runs the servo on a thread of its own, cycle k at `t0 + k / frequency`.

    Sleeping ends early by as much as most wake-ups are late, and the rest is spun away. Deadlines
    are absolute, so the rate does not drift; a cycle that overruns is counted and the deadlines it
    missed are skipped. After a late start three quarters of a period pass at least until the next:
    of two cycles right after each other the second would see next to nothing new, and what is
    divided by the time between them would be noise. Before the spin the last cycle is rehearsed, if
    there is time, which makes a short cycle about half as long.
    """

    def __init__(self, frequency: float, real_time: RealTimeSettings = NOT_REAL_TIME) -> None:
        super().__init__(frequency, real_time)
        self._spin = self.declare(
            "spin_time",
            min(50e-6, 0.5 / frequency),
            lower=0.0,
            upper=0.5 / frequency,
            unit="s",
            access=Access.CONFIGURATION,
            description="end of each wait for a deadline that is spun instead of slept, at most: "
            "as much as all but one in fifty wake-ups are late",
        )
        self._rehearse = self.declare(
            "rehearse",
            True,
            access=Access.CONFIGURATION,
            description="repeat the last cycle before each, so that it finds warm caches; not "
            "where that takes more than 12 % of a period",
        )

    def _pace(self, coordinator: Coordinator, ready: Callable[[], None]) -> None:
        begin = monotonic()
        coordinator.servo_init(begin)
        ready()
        try:
            self._play(coordinator, begin)
        finally:
            coordinator.spare_time.begin(math.inf)

    def _play(self, coordinator: Coordinator, begin: float) -> None:
        """Run cycles from `begin` until the clock is stopped."""
        frequency, delay = self.frequency, WakeDelay(self._spin.value)
        rehearses, rehearsal = self._rehearse.value, CycleRehearsal(frequency, self._spin.value)
        latency, spare = coordinator.latency, coordinator.spare_time
        briefest = BRIEFEST / frequency
        deadline, tick = begin, 0
        while not self._stopping:
            now = monotonic()
            latency.lateness = now - deadline
            coordinator.servo_update(now)
            ended = monotonic()
            tick += 1
            deadline = begin + tick / frequency
            if deadline < ended:
                latency.overruns += 1
                tick += int((ended - deadline) * frequency) + 1
                deadline = begin + tick / frequency
            warms = rehearses and rehearsal.is_due() and not spare.is_wanted
            lead = rehearsal.lead if warms else delay.usual
            remaining = deadline - ended
            if remaining > lead:
                spare.begin(deadline - lead)
                sleep(remaining - lead)
                spare.end()
                begun = monotonic()
                wake = begun - (deadline - lead)
                delay.took(wake)
                if warms and begun + rehearsal.duration <= deadline:
                    coordinator.rehearse()
                    rehearsal.took(monotonic() - begun, wake)
                elif warms:
                    rehearsal.left_out(wake)
            start = max(deadline, now + briefest)  # no later sleep, which would end later still
            while monotonic() < start:
                pass
