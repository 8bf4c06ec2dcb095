"""type_data: what DDS tells of the type of a sample that nobody looks into.

Other nodes get a description of each type (OMG DDS-XTypes 1.3, 7.3.4): its shape and, for who does
not know a shape by its hash, the shape's parts. Cyclone derives it from any class by objects that
encode themselves, most of a millisecond a type. All our types have one shape, a structure of one
byte that derives from an empty one, so that it is written down here.
"""

from hashlib import md5
from typing import NamedTuple

MINIMAL, COMPLETE = b"\xf1", b"\xf2"  # kinds of descriptions: without and with names
STRUCTURE = b"\x51"
NO_TYPE, BYTE = b"\x00", b"\x0d"
FINAL = TRY_TO_DISCARD = b"\x01\x00"
NO_ANNOTATIONS = b"\x00\x00"
HASH = 14  # [bytes]


class TypeData(NamedTuple):
    """Encoded as XCDR2, little-endian, without header.

    Attributes:
        information: Hashes and sizes of the descriptions.
        mapping: The descriptions by their hashes.
    """

    information: bytes
    mapping: bytes


class _Described(NamedTuple):
    """A description of a structure, and the hash that stands for it."""

    text: bytes
    kind: bytes

    @property
    def identifier(self) -> bytes:
        return self.kind + md5(self.text, usedforsecurity=False).digest()[:HASH]


def type_data(name: str, member: str, base: str) -> TypeData:
    """Return what is told of a type.

    Args:
        name: Of the structure.
        member: Of its byte.
        base: Name of the empty structure that it derives from.
    """
    pairs = []
    for kind in (MINIMAL, COMPLETE):
        bottom = _structure(kind, base, NO_TYPE, b"")
        pairs.append((_structure(kind, name, bottom.identifier, _member(kind, member)), bottom))
    return TypeData(_information(pairs), _mapping(pairs))


def _structure(kind: bytes, name: str, base: bytes, member: bytes) -> _Described:
    header = base
    if kind == COMPLETE:
        header = _aligned(base + NO_ANNOTATIONS) + _string(name)
    count = _number(1 if member else 0)
    parts = _aligned(kind + STRUCTURE + FINAL + _sized(header)) + _sized(count + member)
    return _Described(_sized(parts), kind)


def _member(kind: bytes, name: str) -> bytes:
    common = _number(0) + TRY_TO_DISCARD + BYTE
    if kind == MINIMAL:
        return _sized(common + md5(name.encode(), usedforsecurity=False).digest()[:4])
    return _sized(_aligned(common) + _string(name) + NO_ANNOTATIONS)


def _information(pairs: list[tuple[_Described, _Described]]) -> bytes:
    members = b""
    for number, (top, bottom) in enumerate(pairs, 1):
        dependent = _number(1) + _sized(_number(1) + _with_size(bottom))
        content = _with_size(top) + dependent
        identifier = (0x4000_1000 | number).to_bytes(4, "little")  # of a member of varying length
        members += _aligned(identifier + _number(len(content) + 4) + _sized(content))
    return _sized(members)


def _with_size(described: _Described) -> bytes:
    return _sized(_aligned(described.identifier) + _number(len(described.text)))


def _mapping(pairs: list[tuple[_Described, _Described]]) -> bytes:
    text = b""
    for pair in pairs:
        entries = _number(len(pair))
        for described in pair:
            entries = _aligned(entries + described.identifier) + described.text
        text = _aligned(text) + _sized(entries)
    (top, bottom), (full_top, full_bottom) = pairs
    entries = _number(2) + full_top.identifier + top.identifier
    return text + _sized(entries + full_bottom.identifier + bottom.identifier)


def _aligned(text: bytes) -> bytes:
    return text + bytes(-len(text) % 4)


def _number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _sized(text: bytes) -> bytes:
    return _number(len(text)) + text


def _string(text: str) -> bytes:
    return _sized(text.encode() + b"\x00")
