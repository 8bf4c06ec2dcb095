"""AwakeTime: how long one has waited, without the time one was stopped oneself."""

import time

LONGEST_LOOK = 0.1
"""Time between two looks above which the waiting process itself stood still [s]."""


class AwakeTime:
    """A stopwatch for those who look again and again whether others have done something.

    A process that was stopped, or whose machine slept or was busy, finds what others sent meanwhile
    only after it goes on: by the wall clock it would give up what is already there. A long gap
    between two looks therefore counts as a short one.
    """

    def __init__(self) -> None:
        self._last_look = time.monotonic()
        self._elapsed = 0.0

    def look(self) -> float:
        """Return the time since this was made that passed while one looked [s]."""
        now = time.monotonic()
        self._elapsed += min(now - self._last_look, LONGEST_LOOK)
        self._last_look = now
        return self._elapsed
