"""Datagrams between servo and robot: one vector each, numbered; see `docs/robots.md`."""

import struct
import time
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.robots.layout import STATE, Layout
from controlit_ros.robots.numbering import Numbering, Order
from controlit_ros.robots.seal import NoSeal, Seal, Trust

MAGIC = b"CTLT"
VERSION = 1
HEADER = struct.Struct("<4sHBBQQQqII")
"""Magic, version, kind, seal, layout, session, sequence, stamp [ns], joints, values."""
_CHECKED = (
    (0, "magic"),
    (1, "version"),
    (2, "kind (1 state, 2 command)"),
    (3, "seal (0 none, 1 checksum, 2 key: checksum and key_file must be the same on both sides)"),
    (8, "joints"),
    (
        9,
        (
            "values (a state has 16, 4 for each joint, 6 for each contact that is sensed and 6 for "
            "an inertial measurement unit)"
        ),
    ),
    (4, "layout, the hash of the names of joints and of contacts that are sensed"),
)
"""Where the header must hold what, in the order in which a mismatch says most."""
_KIND = 2  # in the header
_NUMBERS = struct.Struct("<QQ")
_NUMBERS_OFFSET = 16  # [bytes] session and sequence
VALUE = 8  # [bytes]
LARGEST = 65_507  # [bytes] that UDP over IPv4 takes
STATE_KIND, COMMAND_KIND = 1, 2
HELLO = 2  # added to a kind: no vector, only a sign of life for who has to answer a challenge


def datagram_size(layout: Layout, seal: Seal | None = None) -> int:
    """Return the length of the datagrams of a layout [bytes]."""
    return HEADER.size + VALUE * layout.size + (0 if seal is None else seal.size)


def _kind(layout: Layout) -> int:
    return STATE_KIND if layout.kind == STATE else COMMAND_KIND


class DatagramWriter:
    """Makes the datagrams of one life of a sender.

    Args:
        layout: What the vectors mean.
        session: Number of this life, larger than those before: the time [ns] since 1970 if left
            out.
        seal: What they end with; nothing if left out.

    Attributes:
        buffer: The last datagram.
        hello: The last sign of life.
    """

    def __init__(
        self, layout: Layout, session: int | None = None, seal: Seal | None = None
    ) -> None:
        self._seal = NoSeal() if seal is None else seal
        self.buffer = bytearray(datagram_size(layout, self._seal))
        self.hello = bytearray(HEADER.size + self._seal.size)
        self._whole = memoryview(self.buffer)
        self._values = np.frombuffer(self.buffer, "<f8", layout.size, HEADER.size)
        self._kind = _kind(layout)
        self._layout = layout.number
        self._joints = len(layout.joint_names)
        self._session = time.time_ns() if session is None else session
        self._sequence = 0

    def write(self, vector: Array) -> None:
        """Put a vector and the next number into the buffer."""
        self._sequence += 1
        self._head(self.buffer, self._kind, self._sequence, len(vector))
        np.copyto(self._values, vector)
        self._seal.close(self._whole)

    def write_hello(self) -> None:
        """Put a sign of life into its buffer; callable while another thread writes a vector."""
        self._head(self.hello, self._kind + HELLO, 0, 0)
        self._seal.close(memoryview(self.hello))

    def _head(self, buffer: bytearray, kind: int, sequence: int, values: int) -> None:
        HEADER.pack_into(
            buffer,
            0,
            MAGIC,
            VERSION,
            kind,
            self._seal.kind,
            self._layout,
            self._session,
            sequence,
            time.monotonic_ns(),
            self._joints,
            values,
        )


class DatagramVerdict(Enum):
    """What a datagram is worth."""

    NEW = auto()
    DUPLICATE = auto()
    REORDERED = auto()
    STALE = auto()
    MALFORMED = auto()
    HELLO = auto()


_VERDICTS = {
    Order.NEXT: DatagramVerdict.NEW,
    Order.SAME: DatagramVerdict.DUPLICATE,
    Order.BEFORE: DatagramVerdict.REORDERED,
    Order.APART: DatagramVerdict.STALE,
}


class Refusal(NamedTuple):
    """Why a datagram is malformed; the text is made when somebody asks."""

    what: str
    found: object
    expected: object

    def __str__(self) -> str:
        return f"{self.what}: found {self.found}, expected {self.expected}"


_BROKEN = {
    1: Refusal("checksum", "another", "that of the bytes before it"),
    2: Refusal("HMAC", "another", "that of the key in key_file"),
}


class DatagramReader:
    """Judges the datagrams of one sender, whose lives follow each other.

    Args:
        layout: What the vectors must mean.
        seal: What they must end with; nothing if left out.

    Attributes:
        buffer: Where a datagram is received; longer than any that is right.
        values: `(layout.size,)` view of the vector in it.
        refusal: Why the last malformed one was.
        skipped: How many numbers were left out before the last new one.
    """

    def __init__(self, layout: Layout, seal: Seal | None = None) -> None:
        self._seal = NoSeal() if seal is None else seal
        self.size = datagram_size(layout, self._seal)
        self.buffer = bytearray(self.size + 1)
        self.values = np.frombuffer(self.buffer, "<f8", layout.size, HEADER.size)
        self.refusal: Refusal | None = None
        self._whole = memoryview(self.buffer)[: self.size]
        self._hello = memoryview(self.buffer)[: HEADER.size + self._seal.size]
        self._expected = self._header(_kind(layout), layout, layout.size)
        self._of_hello = self._header(_kind(layout) + HELLO, layout, 0)
        self._numbering = Numbering(is_proven=self._seal.is_proof)

    @property
    def skipped(self) -> int:
        """How many numbers were left out before the last new datagram."""
        return self._numbering.skipped

    def forget(self) -> None:
        """Accept whatever sender comes next, also one whose clock was set back."""
        self._numbering.forget()
        self._seal.renew()

    def judge(self, length: int) -> DatagramVerdict:
        """Judge the datagram of `length` bytes in the buffer, and remember it if it is new."""
        fault = self._fault(length)
        if fault is not None:
            self.refusal = fault
            return DatagramVerdict.MALFORMED
        is_hello = length != self.size
        trust = self._seal.check(self._hello if is_hello else self._whole)
        if trust is Trust.BROKEN:
            self.refusal = _BROKEN[self._seal.kind]
            return DatagramVerdict.MALFORMED
        if is_hello or trust is Trust.GREETING:
            return DatagramVerdict.HELLO
        if trust is Trust.STRANGE:
            return DatagramVerdict.STALE
        return _VERDICTS[self._numbering.judge(*_NUMBERS.unpack_from(self.buffer, _NUMBERS_OFFSET))]

    def _header(self, kind: int, layout: Layout, values: int) -> tuple[object, ...]:
        """Return what a header must hold where `_CHECKED` says so."""
        joints = len(layout.joint_names)
        return (
            MAGIC, VERSION, kind, self._seal.kind, layout.number, 0, 0, 0, joints, values
        )  # fmt: skip

    def _fault(self, length: int) -> Refusal | None:
        """Return what makes a datagram malformed; numbers and values may be anything."""
        if length < HEADER.size:
            return Refusal("length", length, self.size)
        header = HEADER.unpack_from(self.buffer)
        is_hello = self._seal.is_proof and header[_KIND] == self._of_hello[_KIND]
        expected, size = (
            (self._of_hello, len(self._hello)) if is_hello else (self._expected, self.size)
        )
        for i, what in _CHECKED:
            if header[i] != expected[i]:
                return Refusal(what, header[i], expected[i])
        if length != size:
            return Refusal("length", length, size)
        return None
