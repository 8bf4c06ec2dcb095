"""A row of a hand-off, written over the numbers of a message that is encoded already."""

import math

import numpy as np

from controlit_ros.arrays import Array, Indices, Octets
from controlit_ros.kernels.bind import real_of
from controlit_ros.kernels.compile import kernel

CHECKSUM, STAMP, VALUES = range(3)  # words of a row
BYTES = 8  # of a word
BITS = 8  # of a byte
ALL = 0xFFFFFFFF  # what a checksum begins with, and is inverted by
LARGEST = 2.0**31  # [s] seconds have 32 bits
POLYNOMIAL = 0xEDB88320  # of CRC-32 as in zlib, its bits reversed


def _checksums() -> Indices:
    """Return the checksum of each byte, by how many bytes of zero come after it, `(8, 256)`."""
    found = np.zeros((BYTES, 256), np.int64)
    byte = np.arange(256)
    for _ in range(BITS):
        byte = np.where(byte & 1, POLYNOMIAL ^ (byte >> 1), byte >> 1)
    found[0] = byte
    for k in range(1, BYTES):
        found[k] = found[0, found[k - 1] & 0xFF] ^ (found[k - 1] >> BITS)
    return found


_CHECKSUMS = _checksums()


@kernel
def message_row(
    place: int,
    rows: Indices,
    numbers: Indices,
    places: Indices,
    content: Octets,
    times: Indices,
    offset: float,
) -> bool:
    """Write a row into a message; return whether its checksum is right.

    Every word is read once, as another process may write it meanwhile: what goes into the message
    is what the checksum was computed of.

    Args:
        place: Of the row.
        rows: `(capacity, n + 2)` words: the checksum of the others, the bits of a stamp [s], those
            of the numbers.
        numbers: The message as words; written.
        places: `(n,)` which of these the numbers are.
        content: The message as int8; written. The same memory.
        times: Where times are in it: seconds, then nanoseconds, of 32 bits each.
        offset: From stamps to times [s].

    Raises:
        ValueError: A time is not finite, or has more seconds than 32 bits hold.
    """
    row = rows[place]
    stamp = row[STAMP]
    checksum = add_word(ALL, stamp)
    for i in range(len(places)):
        word = row[VALUES + i]
        checksum = add_word(checksum, word)
        numbers[places[i]] = word
    if len(times) > 0:
        _write_time(real_of(stamp) + offset, content, times)
    is_right: bool = (checksum ^ ALL) == row[CHECKSUM]
    return is_right


@kernel
def write_message(
    values: Array, numbers: Array, places: Indices, content: Octets, times: Indices, time: float
) -> None:
    """Write numbers and times into a message.

    Args:
        values: `(n,)` numbers.
        numbers: The message as numbers; written.
        places: `(n,)` which of these they are.
        content: See `message_row`; so is the next.
        times: Where times are in it.
        time: The same for all of them [s].

    Raises:
        ValueError: See `message_row`.
    """
    for i in range(len(places)):
        numbers[places[i]] = values[i]
    if len(times) > 0:
        _write_time(time, content, times)


@kernel
def add_word(checksum: int, word: int) -> int:
    """Return the checksum of what came before and a word: all its bytes are looked up at once."""
    changed = checksum ^ word
    found = 0
    for i in range(BYTES):
        found ^= _CHECKSUMS[BYTES - 1 - i, (changed >> (BITS * i)) & 0xFF]
    return found


@kernel
def _write_time(time: float, content: Octets, times: Indices) -> None:
    if not -LARGEST <= time < LARGEST:
        raise ValueError("found a time that no message can hold")
    seconds = math.floor(time)
    nanoseconds = min(int((time - seconds) * 1e9), 999_999_999)
    for begin in times:
        for i in range(4):
            content[begin + i] = (seconds >> (BITS * i)) & 0xFF
            content[begin + 4 + i] = (nanoseconds >> (BITS * i)) & 0xFF
