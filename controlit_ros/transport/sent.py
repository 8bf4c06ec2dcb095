"""Sent: how much went out on a topic."""

from threading import Lock
from typing import NamedTuple


class Sent(NamedTuple):
    """What was handed to the middleware.

    Attributes:
        messages: How many.
        size: Of all together, encoded [bytes].
    """

    messages: int = 0
    size: int = 0


class SentCount:
    """Counts what a publisher sends from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._messages = self._size = 0

    @property
    def total(self) -> Sent:
        """What was sent since this was made, or taken away the last time."""
        with self._lock:
            return Sent(self._messages, self._size)

    def add(self, size: int) -> None:
        """Count a message of so many bytes."""
        with self._lock:
            self._messages += 1
            self._size += size

    def take(self) -> Sent:
        """Return what was sent and begin anew."""
        with self._lock:
            sent = Sent(self._messages, self._size)
            self._messages = self._size = 0
            return sent
