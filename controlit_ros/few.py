"""Few: the newest of what can be made again."""

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Few(dict[Key, Value]):
    """Keeps what was made, by all that it depends on; the oldest goes where there are too many.

    Look with `get`, and `keep` what is not there.

    Args:
        most: How many.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Key, value: Value) -> Value:
        """Keep and return a value."""
        if len(self) >= self._most and key not in self:
            del self[next(iter(self))]
        self[key] = value
        return value
