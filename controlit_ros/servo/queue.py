"""Queues: rare objects that the servo offers, event names and notices."""

import pickle
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from controlit_ros.kernels.offer_rows import RAISED
from controlit_ros.servo.record_ring import RecordRing
from controlit_ros.servo.shared_memory import shared_memory

CAPACITY = 1024  # [entries] events and notices are rare
SHARED_CAPACITY = 1 << 18  # [bytes] hundreds of the longest notices


class Queue(ABC):
    """One thread offers, another delivers; bounded, never waiting, losses counted.

    Attributes:
        deliver: Takes an entry; runs in the thread that delivers.
        flag: A byte that tells who delivers to look; an outbox has one for each of its queues.
    """

    def __init__(self, deliver: Callable[[Any], None]) -> None:
        self.deliver = deliver
        self.flag = memoryview(bytearray(1))

    @property
    @abstractmethod
    def dropped(self) -> int:
        """Entries lost because nobody took them in time."""

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is nothing to deliver."""

    def offer(self, entry: Any) -> None:
        """Append an entry; one thread only, never blocks."""
        self._append(entry)
        self.flag[0] = RAISED

    def remind(self) -> None:
        """Raise the flag if there is something to deliver."""
        if not self.is_empty:
            self.flag[0] = RAISED

    @abstractmethod
    def _append(self, entry: Any) -> None:
        """Append an entry."""

    @abstractmethod
    def drain(self) -> list[Any]:
        """Remove and return all entries."""


class LocalQueue(Queue):
    """Within a process; when it is full the oldest entry gives way."""

    def __init__(self, deliver: Callable[[Any], None], capacity: int = CAPACITY) -> None:
        super().__init__(deliver)
        self._dropped = 0
        self._capacity = capacity
        self._entries: deque[Any] = deque()

    @property
    def dropped(self) -> int:
        """Entries that gave way."""
        return self._dropped

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to deliver."""
        return not self._entries

    def _append(self, entry: Any) -> None:
        if len(self._entries) >= self._capacity:
            # popping, not a bounded deque: the reader may have made room meanwhile
            with suppress(IndexError):
                self._entries.popleft()
                self._dropped += 1
        self._entries.append(entry)

    def drain(self) -> list[Any]:
        """Remove and return all entries."""
        entries: list[Any] = []
        with suppress(IndexError):  # the writer dropped it meanwhile
            entries.extend(self._entries.popleft() for _ in range(len(self._entries)))
        return entries


class SharedQueue(Queue):
    """Between a process and one that it forks off; when it is full a new entry is refused."""

    def __init__(self, deliver: Callable[[Any], None], capacity: int = SHARED_CAPACITY) -> None:
        super().__init__(deliver)
        self._ring = RecordRing(capacity, shared_memory)

    @property
    def dropped(self) -> int:
        """Entries that were refused."""
        return self._ring.dropped

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to deliver."""
        return self._ring.is_empty

    def _append(self, entry: Any) -> None:
        self._ring.offer(pickle.dumps(entry))

    def drain(self) -> list[Any]:
        """Remove and return all entries."""
        entries = []
        while (record := self._ring.peek()) is not None:
            self._ring.advance()
            entries.append(pickle.loads(record))  # noqa: S301 - from a process of our own
        return entries
