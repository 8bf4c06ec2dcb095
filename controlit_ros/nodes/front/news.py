"""News: the last that a controller told."""

import time
from collections import deque
from typing import NamedTuple

TROUBLES = 3  # [#] errors that are kept
TOGETHER = 2.0  # [s] within which errors have the same cause


class Told(NamedTuple):
    """Something that was told.

    Attributes:
        stamp: When, on the monotonic clock [s].
        text: What; empty for nothing yet.
    """

    stamp: float
    text: str


class News:
    """Keeps the last event, the last notice and the last errors, for who looks now and then.

    Attributes:
        event: The last event.
        notice: The last warning or error.
    """

    def __init__(self) -> None:
        self._troubles: deque[Told] = deque(maxlen=TROUBLES)
        self.event = Told(0.0, "")
        self.notice = Told(0.0, "")

    @property
    def troubles(self) -> tuple[str, ...]:
        """The last error and those told shortly before it, each once, the newest first."""
        told = tuple(self._troubles)
        recent = [t.text for t in reversed(told) if told[-1].stamp - t.stamp < TOGETHER]
        return tuple(dict.fromkeys(recent))

    def tell_trouble(self, text: str) -> None:
        """Keep an error."""
        self._troubles.append(Told(time.monotonic(), text))

    def tell_event(self, name: str) -> None:
        """Keep an event."""
        self.event = Told(time.monotonic(), name)

    def tell_notice(self, text: str) -> None:
        """Keep a warning or an error."""
        self.notice = Told(time.monotonic(), text)
