"""The counters behind `Health`."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock

from .end import End
from .health import Health
from .sent import Sent


class Counters:
    """Counts from several threads; what is lost and sent, open ends count themselves."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._conflicts: dict[str, None] = {}

    def add(self, name: str, amount: int = 1) -> None:
        """Increase the counter `name`, a field of `Health`."""
        with self._lock:
            self._counts[name] += amount

    def add_conflict(self, text: str) -> bool:
        """Remember a type conflict and return whether it is new."""
        with self._lock:
            new = text not in self._conflicts
            self._conflicts[text] = None
            return new

    def health(self, ends: Sequence[End] = ()) -> Health:
        """Return the counters, with what ends that are open have counted."""
        topics: dict[str, Sent] = {}
        for end in ends:
            sent = end.sent
            if sent is not None and end.is_open:
                before = topics.get(end.name, Sent())
                topics[end.name] = Sent(before.messages + sent.messages, before.size + sent.size)
        lost = sum(end.lost for end in ends)
        published = sum(sent.messages for sent in topics.values())
        with self._lock:
            counts = self._counts + Counter(lost=lost, published=published)
            return Health(**counts, type_conflicts=tuple(self._conflicts), topics=topics)
