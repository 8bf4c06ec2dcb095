"""Datagrams between servo and robot: one vector each, numbered; see `docs/robots.md`."""

import struct
import time
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from controlit_ros.robots.layout import STATE, Layout
from controlit_ros.robots.link import Array

MAGIC = b"CTLT"
VERSION = 1
HEADER = struct.Struct("<4sHBxQQQqII")
"""Magic, version, kind, a byte of zero, layout, session, sequence, stamp [ns], joints, values."""
_CHECKED = (
    (0, "magic"),
    (1, "version"),
    (2, "kind (1 state, 2 command)"),
    (7, "joints"),
    (8, "values (a state has 16, 4 for each joint and 6 for each contact that is sensed)"),
    (3, "layout, the hash of the names of joints and of contacts that are sensed"),
)
"""Where the header must hold what, in the order in which a mismatch says most."""
_NUMBERS = struct.Struct("<QQ")
_NUMBERS_OFFSET = 16  # [bytes] session and sequence
VALUE = 8  # [bytes]
LARGEST = 65_507  # [bytes] that UDP over IPv4 takes
STATE_KIND, COMMAND_KIND = 1, 2


def datagram_size(layout: Layout) -> int:
    """Return the length of the datagrams of a layout [bytes]."""
    return HEADER.size + VALUE * layout.size


def _kind(layout: Layout) -> int:
    return STATE_KIND if layout.kind == STATE else COMMAND_KIND


class DatagramWriter:
    """Makes the datagrams of one life of a sender.

    Args:
        layout: What the vectors mean.
        session: Number of this life, larger than those before: the time [ns] since 1970 if left
            out.

    Attributes:
        buffer: The last datagram.
    """

    def __init__(self, layout: Layout, session: int | None = None) -> None:
        self.buffer = bytearray(datagram_size(layout))
        self._values = np.frombuffer(self.buffer, dtype="<f8", offset=HEADER.size)
        self._kind = _kind(layout)
        self._layout = layout.number
        self._joints = len(layout.joint_names)
        self._session = time.time_ns() if session is None else session
        self._sequence = 0

    def write(self, vector: Array) -> None:
        """Put a vector and the next number into the buffer."""
        self._sequence += 1
        HEADER.pack_into(
            self.buffer,
            0,
            MAGIC,
            VERSION,
            self._kind,
            self._layout,
            self._session,
            self._sequence,
            time.monotonic_ns(),
            self._joints,
            len(vector),
        )
        np.copyto(self._values, vector)


class Verdict(Enum):
    """What a datagram is worth."""

    NEW = auto()
    DUPLICATE = auto()
    REORDERED = auto()
    STALE = auto()
    MALFORMED = auto()


class Refusal(NamedTuple):
    """Why a datagram is malformed; the text is made when somebody asks."""

    what: str
    found: object
    expected: object

    def __str__(self) -> str:
        return f"{self.what}: found {self.found}, expected {self.expected}"


class DatagramReader:
    """Judges the datagrams of one sender, whose lives follow each other.

    Args:
        layout: What the vectors must mean.

    Attributes:
        buffer: Where a datagram is received; longer than any that is right.
        values: `(layout.size,)` view of the vector in it.
        refusal: Why the last malformed one was.
        skipped: How many numbers were left out before the last new one.
    """

    def __init__(self, layout: Layout) -> None:
        self.size = datagram_size(layout)
        self.buffer = bytearray(self.size + 1)
        self.values = np.frombuffer(self.buffer, "<f8", layout.size, HEADER.size)
        self.refusal: Refusal | None = None
        self.skipped = 0
        joints = len(layout.joint_names)
        self._expected = (
            MAGIC, VERSION, _kind(layout), layout.number, 0, 0, 0, joints, layout.size
        )  # fmt: skip
        self._session = 0
        self._sequence = 0

    def forget(self) -> None:
        """Accept whatever sender comes next, also one whose clock was set back."""
        self._session = 0
        self._sequence = 0

    def judge(self, length: int) -> Verdict:
        """Judge the datagram of `length` bytes in the buffer, and remember it if it is new."""
        fault = self._fault(length)
        if fault is not None:
            self.refusal = fault
            return Verdict.MALFORMED
        session, sequence = _NUMBERS.unpack_from(self.buffer, _NUMBERS_OFFSET)
        if session < self._session:
            return Verdict.STALE
        if session > self._session:
            self._session, self._sequence = session, sequence - 1
        if sequence <= self._sequence:
            return Verdict.DUPLICATE if sequence == self._sequence else Verdict.REORDERED
        self.skipped = sequence - self._sequence - 1
        self._sequence = sequence
        return Verdict.NEW

    def _fault(self, length: int) -> Refusal | None:
        """Return what makes a datagram malformed; numbers and values may be anything."""
        if length < HEADER.size:
            return Refusal("length", length, self.size)
        header = HEADER.unpack_from(self.buffer)
        for i, what in _CHECKED:
            if header[i] != self._expected[i]:
                return Refusal(what, header[i], self._expected[i])
        if length != self.size:
            return Refusal("length", length, self.size)
        return None
