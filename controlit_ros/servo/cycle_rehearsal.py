"""CycleRehearsal: when to repeat the last cycle before the next one."""

LONGEST = 0.3  # [-] of a period that may be set aside for it
WORTH = 0.12  # [-] of a period: what takes longer computes so much that caches hardly matter
SMOOTHING = 0.05  # [-] one that was disturbed shall not make the next wait shorter by much
PAUSE = 1000  # [cycles] until one that took too long is tried anew


class CycleRehearsal:
    """Keeps how long a rehearsal takes, and lets none be made that costs more than it gains.

    A cycle of 50 µs takes half as long with warm caches. One of 300 µs gains a twentieth, for a
    seventh of a processor that others could use.

    Args:
        frequency: Of the servo [Hz].

    Attributes:
        duration: Of one, and how long before the end of a wait to begin one; what takes longer, the
            end that is spun has room for [s].
    """

    def __init__(self, frequency: float) -> None:
        self._longest, self._worth = LONGEST / frequency, WORTH / frequency
        self.duration = 0.0
        self._pause = 0

    def is_due(self) -> bool:
        """Return whether to make one before the next cycle; once a cycle."""
        self._pause = max(self._pause - 1, 0)
        return not self._pause

    def took(self, duration: float) -> None:
        """Take note of how long one took [s]."""
        share = 1.0 if self.duration > self._worth else SMOOTHING  # tried anew, it counts whole
        self.duration = min(self.duration + share * (duration - self.duration), self._longest)
        if self.duration > self._worth:
            self._pause = PAUSE
            self.duration = max(self.duration, min(duration, self._longest))  # of the next try
