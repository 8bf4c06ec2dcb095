"""News: the last that a controller told."""

import time
from typing import NamedTuple


class Told(NamedTuple):
    """Something that was told.

    Attributes:
        stamp: When, on the monotonic clock [s].
        text: What; empty for nothing yet.
    """

    stamp: float
    text: str


class News:
    """Keeps the last event and the last notice, for who looks now and then.

    Attributes:
        event: The last event.
        notice: The last warning or error.
    """

    def __init__(self) -> None:
        self.event = Told(0.0, "")
        self.notice = Told(0.0, "")

    def tell_event(self, name: str) -> None:
        """Keep an event."""
        self.event = Told(time.monotonic(), name)

    def tell_notice(self, text: str) -> None:
        """Keep a warning or an error."""
        self.notice = Told(time.monotonic(), text)
