"""Repeats: what a best-effort subscription hears that a reliable one beside it has delivered."""

from collections import deque

KEPT = 64  # [messages] beyond what both can hold back while one of them is served


class Repeats:
    """Tells which messages a reliable subscription has delivered already.

    A reliable publisher is heard by both subscriptions of a topic. What the reliable one delivers
    counts, since it is in order; so only the other leaves out what it finds here.
    """

    def __init__(self) -> None:
        self._delivered: deque[tuple[int, bytes]] = deque(maxlen=KEPT)

    def note(self, stamp: int, data: bytes) -> None:
        """Remember a message that is delivered.

        Args:
            stamp: When it was sent, on the clock of who sent it [ns].
            data: The message as it came.
        """
        self._delivered.append((stamp, data))

    def has(self, stamp: int, data: bytes) -> bool:
        """Tell whether a message was delivered (see `note`)."""
        return (stamp, data) in self._delivered
