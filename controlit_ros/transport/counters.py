"""The counters behind `Health`."""

from collections import Counter
from threading import Lock

from .health import Health


class Counters:
    """Counts from several threads; `published` and `received` come from the parts themselves."""

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

    def health(self, *, lost: int = 0) -> Health:
        """Return the counters; `lost` is added by who can tell."""
        with self._lock:
            return Health(
                **{**self._counts, "lost": self._counts["lost"] + lost},
                type_conflicts=tuple(self._conflicts),
            )
