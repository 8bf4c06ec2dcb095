"""HandOff: bounded, one-way, from the servo thread to one reader, never waiting."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar
from zlib import crc32

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.message_row import CHECKSUM, STAMP, VALUES
from controlit_ros.kernels.offer_rows import HEADER, WRITTEN
from controlit_ros.servo.shared_memory import Memory, private_memory

CAPACITY = 64  # [rows] 64 ms at 1 kHz, more than any pause of a healthy reader
WORD = 8  # [bytes]

Read = TypeVar("Read")


class Sample(NamedTuple):
    """A copy of a row.

    Attributes:
        stamp: When it was offered, on the servo's clock [s].
        values: `(width,)`, the reader's own copy.
    """

    stamp: float
    values: Array


class HandOff:
    """Ring of rows allocated once; a slow reader loses the oldest and the loss is counted.

    The writer never looks at the reader: it overwrites. The reader copies a row and then checks
    that the writer has not come round to it meanwhile. In shared memory the two may be processes;
    the checksum of a row covers processors that reorder stores.

    Args:
        width: Numbers in a row.
        capacity: Rows kept for the reader.
        memory: Where the ring is.

    Attributes:
        words: `(capacity, width + 2)` int64, the rows: checksum, then stamp and values.
        dropped: Rows the reader was too slow for.
        written: Its word tells how many rows were handed over.
        memory: All of it as int64: that word, then the rows.
        stride: Words from row to row.
        read: How many of them were read or dropped.
    """

    def __init__(
        self, width: int, capacity: int = CAPACITY, memory: Memory = private_memory
    ) -> None:
        self._capacity = capacity
        content = memory(hand_off_size(width, capacity))[: hand_off_size(width, capacity)]
        self.memory: Indices = np.frombuffer(content, dtype=np.int64)
        self.written = content[: HEADER * WORD].cast("Q")[WRITTEN : WRITTEN + 1]
        self._words = content[HEADER * WORD :].cast("Q")
        self.stride = width + VALUES
        numbers = np.frombuffer(self._words, dtype=np.float64).reshape(capacity, self.stride)
        self.words: Indices = numbers.view(np.int64)
        self._covered: list[Array] = list(
            numbers[:, STAMP:]
        )  # at once: a task is added in less time
        self._values: list[Array] = list(numbers[:, VALUES:])
        self.read = 0
        self.dropped = 0

    def begin(self, stamp: float) -> Array:
        """Return the row to fill in; writer only."""
        place = self.written[0] % self._capacity
        self._covered[place][0] = stamp
        return self._values[place]

    def commit(self) -> None:
        """Hand the row over; writer only."""
        place = self.written[0] % self._capacity
        self._words[place * self.stride + CHECKSUM] = crc32(self._covered[place].data)
        self.written[0] += 1

    def take(self, read: Callable[[int], Read | None], end: int) -> Read | None:
        """Return what the oldest row not read yet says; reader only.

        Args:
            read: Returns what the row at a place says, `None` if its checksum is wrong. What it
                raises takes the row with it.
            end: Number of a row; it and later ones are left, as are those under way.

        Returns:
            `None`: there is none.
        """
        written, capacity = self.written, self._capacity
        while self.read < end:
            # the row after the newest may be half written, so one row less than the capacity counts
            behind = written[0] - self.read - (capacity - 1)
            if behind > 0:
                self.read += behind
                self.dropped += behind
            number = self.read
            self.read = number + 1
            found = read(number % capacity)
            if written[0] - number >= capacity:
                self.dropped += 1
            elif found is not None:
                return found
            else:
                self.read = number  # its stores are still under way
                break
        return None

    def copy_at(self, place: int) -> Sample | None:
        """Return a copy of the row at a place, `None` if its checksum is wrong."""
        checksum = self._words[place * self.stride + CHECKSUM]
        copy = self._covered[place].copy()
        return Sample(copy.item(0), copy[1:]) if crc32(copy) == checksum else None


def hand_off_size(width: int, capacity: int = CAPACITY) -> int:
    """Return how much memory a hand-off of so many numbers takes [bytes]."""
    return WORD * (HEADER + capacity * (width + VALUES))
