"""Seals: what datagrams end with, so that the receiver knows whether they are what was sent."""

import hashlib
import hmac
import secrets
import struct
from abc import ABC, abstractmethod
from enum import Enum, auto
from zlib import crc32

_WORD = struct.Struct("<Q")
_WORDS = struct.Struct("<QQ")
_BLOCK = 64  # [bytes] of SHA-256
_INNER, _OUTER = 0x36, 0x5C  # RFC 2104
_MAC = 16  # [bytes] RFC 2104 allows half of SHA-256
SLICE = 2047  # [bytes] hashing more at a time would give the interpreter away


class Trust(Enum):
    """What the seal of a datagram says: take it, drop it, or drop it and wonder.

    A greeting comes from a peer that has not heard us yet, a strange one answers a challenge of
    another life, a broken one was changed or made without the key.
    """

    GOOD = auto()
    GREETING = auto()
    STRANGE = auto()
    BROKEN = auto()


class Seal(ABC):
    """Ends the datagrams of one end of a link, and checks those of the other end.

    Attributes:
        kind: Number in the header; both ends must have the same.
        size: How much longer datagrams become [bytes].
        is_proof: Whether nobody but the peer can have made what is good, and only now.
    """

    kind: int
    size: int
    is_proof = False

    @abstractmethod
    def close(self, datagram: memoryview) -> None:
        """Write the end of a datagram, whose length includes it."""

    @abstractmethod
    def check(self, datagram: memoryview) -> Trust:
        """Say whether a whole datagram is what the peer sent."""

    def renew(self) -> None:  # noqa: B027 - most know nothing of what came before
        """Trust nothing of what came before; after a silence."""


class NoSeal(Seal):
    """Nothing: what arrives is believed."""

    kind = 0
    size = 0

    def close(self, datagram: memoryview) -> None:
        """Leave the datagram as it is."""

    def check(self, datagram: memoryview) -> Trust:
        """Believe it."""
        del datagram
        return Trust.GOOD


class ChecksumSeal(Seal):
    """CRC-32 of all bytes before it, as in zlib: finds what went wrong, not who did it."""

    kind = 1
    size = _WORD.size

    def close(self, datagram: memoryview) -> None:
        """Write the checksum."""
        _WORD.pack_into(datagram, len(datagram) - self.size, crc32(datagram[: -self.size]))

    def check(self, datagram: memoryview) -> Trust:
        """Compare the checksum."""
        (found,) = _WORD.unpack_from(datagram, len(datagram) - self.size)
        return Trust.GOOD if found == crc32(datagram[: -self.size]) else Trust.BROKEN


class KeySeal(Seal):
    """HMAC-SHA-256 with a key that both ends have, and the answer to the peer's challenge.

    A datagram ends with the sender's challenge, a random number of its present life; its answer,
    which is the challenge it heard from the receiver; and the first half of the HMAC of all before.
    What was recorded in another life answers another challenge, so it is worth nothing. The
    challenge of a peer that has answered is taken only from what answers ours.

    Args:
        key: What both ends know and nobody else.
    """

    kind = 2
    size = _WORDS.size + _MAC
    is_proof = True

    def __init__(self, key: bytes) -> None:
        block = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ _INNER for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ _OUTER for byte in block))
        self._challenge = _random()
        self._answer = 0
        self._has_answered = False

    def close(self, datagram: memoryview) -> None:
        """Write challenge, answer and HMAC."""
        _WORDS.pack_into(datagram, len(datagram) - self.size, self._challenge, self._answer)
        datagram[-_MAC:] = self._mac(datagram[:-_MAC])

    def check(self, datagram: memoryview) -> Trust:
        """Compare the HMAC, and whether it answers our challenge."""
        if not hmac.compare_digest(datagram[-_MAC:], self._mac(datagram[:-_MAC])):
            return Trust.BROKEN
        challenge, answer = _WORDS.unpack_from(datagram, len(datagram) - self.size)
        is_fresh = answer == self._challenge
        if is_fresh or not self._has_answered:
            self._answer = challenge
        self._has_answered |= is_fresh
        if is_fresh:
            return Trust.GOOD
        return Trust.STRANGE if answer else Trust.GREETING

    def renew(self) -> None:
        """Ask anew: what answered until now, and was perhaps recorded, is worth nothing."""
        self._challenge = _random()
        self._has_answered = False

    def _mac(self, content: memoryview) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        for start in range(0, len(content), SLICE):
            inner.update(content[start : start + SLICE])
        outer.update(inner.digest())
        return outer.digest()[:_MAC]


def _random() -> int:
    """Return a challenge; 0 stands for none."""
    return 1 + secrets.randbelow(2**64 - 1)
