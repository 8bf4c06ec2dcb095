"""RecordRing: bytes handed from one writer to one reader, never waiting."""

import struct
from zlib import crc32

from controlit_ros.servo.shared_memory import Memory, private_memory

WORD = 8  # [bytes]
I_WRITTEN, I_READ, I_DROPPED, HEADER = range(4)  # words before the records
FRAME = struct.Struct("=II")  # length [bytes] and checksum of a record
TO_THE_START = 0xFFFFFFFF  # in place of a length: the next record is at the ring's beginning


class RecordRing:
    """Ring of records of any length; one that finds no room is refused and counted.

    `offer` belongs to one thread, `peek` and `advance` to another, which may be of another
    process that shares the memory. The checksum covers processors that reorder stores.

    Args:
        capacity: Room for records [bytes]; each takes its length and up to 15 bytes more, in one
            piece, so that in an empty ring there is room for half of it at least.
        memory: Where the ring is.
    """

    def __init__(self, capacity: int, memory: Memory = private_memory) -> None:
        self._capacity = _rounded(capacity)
        content = memory(HEADER * WORD + self._capacity)
        self._header = content[: HEADER * WORD].cast("Q")
        self._content = content[HEADER * WORD :]
        self._next = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read."""
        return self._header[I_READ] == self._header[I_WRITTEN]

    @property
    def dropped(self) -> int:
        """Records that found no room."""
        return self._header[I_DROPPED]

    def offer(self, record: bytes) -> bool:
        """Append a record if there is room for it; return whether there was; writer only."""
        header, content = self._header, self._content
        size = _rounded(FRAME.size + len(record))
        written = header[I_WRITTEN]
        start = written % self._capacity
        skipped = self._capacity - start if start + size > self._capacity else 0
        if written + skipped + size - header[I_READ] > self._capacity:
            header[I_DROPPED] += 1
            return False
        if skipped:
            FRAME.pack_into(content, start, TO_THE_START, 0)
            start = 0
        FRAME.pack_into(content, start, len(record), crc32(record))
        start += FRAME.size
        content[start : start + len(record)] = record
        header[I_WRITTEN] = written + skipped + size
        return True

    def peek(self) -> bytes | None:
        """Return the oldest record, which stays; reader only."""
        header, content = self._header, self._content
        read = header[I_READ]
        if read == header[I_WRITTEN]:
            return None
        start = read % self._capacity
        length, checksum = FRAME.unpack_from(content, start)
        if length == TO_THE_START:
            read += self._capacity - start
            start = 0
            length, checksum = FRAME.unpack_from(content, start)
        begin = start + FRAME.size
        record = bytes(content[begin : begin + length])
        if len(record) != length or crc32(record) != checksum:
            return None  # its stores are still under way
        self._next = read + _rounded(FRAME.size + length)
        return record

    def advance(self) -> None:
        """Give the room of the record that `peek` returned back; reader only."""
        self._header[I_READ] = self._next


def _rounded(size: int) -> int:
    return (size + WORD - 1) // WORD * WORD
