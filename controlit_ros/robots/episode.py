"""Episode: how often something happened lately, so that an explanation is about now."""

import math
import time

RECENT = 1.0  # [s] what happened longer ago explains nothing


class Episode:
    """Counts occurrences that follow each other within a second."""

    def __init__(self) -> None:
        self._count = 0
        self._last = -math.inf

    @property
    def count(self) -> int:
        """Occurrences of the episode under way, 0 when the last was more than a second ago."""
        return self._count if time.monotonic() - self._last <= RECENT else 0

    def add(self, count: int = 1) -> None:
        """Take note of some more."""
        self._count = self.count + count
        self._last = time.monotonic()
