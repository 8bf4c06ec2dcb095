"""CycleRehearsal: when to repeat the last cycle before the next one."""

from controlit_ros.servo.wake_delay import follow

LONGEST = 0.3  # [-] of a period that may be set aside for it
WORTH = 0.12  # [-] of a period: what takes longer computes so much that caches hardly matter
SMOOTHING = 0.05  # [-] one that was disturbed shall not make the next wait shorter by much
PAUSE = 1000  # [cycles] until one that took too long is tried anew
SHARE = 0.95  # [-] of cycles that a rehearsal is over in time for; the others start a little late
STEPS = 50.0  # [-] in the longer of spin and rehearsal; one changes the lead by one at most


class CycleRehearsal:
    """Keeps how long a rehearsal takes, and lets none be made that costs more than it gains.

    A cycle of 50 µs takes half as long with warm caches. One of 300 µs gains a twentieth, for a
    seventh of a processor that others could use.

    How long before a deadline to wake up for one is learned as `WakeDelay` is, of both together: a
    late wake seldom comes before a long rehearsal.

    Args:
        frequency: Of the servo [Hz].
        spin: By which a wait ends early at most without one [s].

    Attributes:
        duration: Of one [s].
        lead: By which a wait ends early, so that `SHARE` of them are over at the deadline [s].
    """

    def __init__(self, frequency: float, spin: float) -> None:
        self._longest, self._worth = LONGEST / frequency, WORTH / frequency
        self._spin = spin
        self.duration = 0.0
        self.lead = spin
        self._pause = 0

    def is_due(self) -> bool:
        """Return whether to make one before the next cycle; once a cycle."""
        self._pause = max(self._pause - 1, 0)
        return not self._pause

    def took(self, duration: float, wake: float) -> None:
        """Take note of one.

        Args:
            duration: How long it took [s].
            wake: How much later than planned it began [s].
        """
        is_new = not 0.0 < self.duration <= self._worth  # tried anew, it counts whole
        share = 1.0 if is_new else SMOOTHING
        self.duration = min(self.duration + share * (duration - self.duration), self._longest)
        if is_new:
            self.lead = self.duration + self._spin
        self._follow(wake + duration)
        if self.duration > self._worth:
            self._pause = PAUSE
            self.duration = max(self.duration, min(duration, self._longest))  # of the next try

    def left_out(self, wake: float) -> None:
        """Take note of one for which there was no time: the wake was so much too late [s]."""
        self._follow(wake + self.duration)

    def _follow(self, taken: float) -> None:
        """Let the lead follow the quantile of what wakes and rehearsals take together [s]."""
        self.lead = follow(
            self.lead,
            taken,
            share=SHARE,
            step=max(self._spin, self.duration) / STEPS,
            least=self.duration,
            most=self._spin + self._longest,
        )
