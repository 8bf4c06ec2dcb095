"""Writes messages as CDR, the encoding of ROS 2."""

import struct
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

from .definition import MessageDefinition
from .field_type import Cardinality, FieldType
from .values import DTYPES, check_length, check_numbers, check_scalar, mismatch

Step: TypeAlias = Callable[[bytearray, Any], None]
"""Appends some fields of a message to the output."""

ENCAPSULATION = b"\x00\x01\x00\x00"
"""Says that plain CDR in little-endian order follows; alignment counts from its end."""

_FORMATS = {
    "byte": "B",
    "char": "B",
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}
_COUNT = struct.Struct("<I")
_LARGEST_ALIGNMENT = 8
_ZEROS = [bytes(count) for count in range(_LARGEST_ALIGNMENT)]


class Encoder:
    """Encodes the messages of a book; twice as fast as the writer of rosbags, checks included.

    Nested messages are flattened into paths like `header.stamp.sec`. Numbers in a row become one
    call of `struct`, and the text of a list of strings is kept until the list changes: joint
    names are the same every time.
    """

    def __init__(self, messages: Mapping[str, MessageDefinition]) -> None:
        self._messages = messages
        self._steps: dict[str, tuple[Step, ...]] = {}

    def encode(self, type_name: str, message: Any) -> bytes:
        """Return the message as it goes over the wire.

        Raises:
            FieldError: an array, a list or a boolean does not fit its field.
            Exception: any other value does not fit; `struct` or the attribute says so.
        """
        out = bytearray(ENCAPSULATION)
        for step in self._steps_of(type_name):
            step(out, message)
        return bytes(out)

    def _steps_of(self, type_name: str) -> tuple[Step, ...]:
        steps = self._steps.get(type_name)
        if steps is None:
            steps = self._steps[type_name] = tuple(self._make_steps(type_name))
        return steps

    def _make_steps(self, type_name: str) -> list[Step]:
        steps: list[Step] = []
        row: list[tuple[str, FieldType]] = []
        for path, field in self._leaves(type_name, ""):
            if field.cardinality is Cardinality.SCALAR and field.base in _FORMATS:
                row.append((path, field))
                continue
            if row:
                steps.append(_Numbers(row))
                row = []
            steps.append(self._make_step(path, field))
        if row:
            steps.append(_Numbers(row))
        return steps

    def _leaves(self, type_name: str, prefix: str) -> list[tuple[str, FieldType]]:
        leaves = []
        for name, field in self._messages[type_name].fields.items():
            if field.nested and field.cardinality is Cardinality.SCALAR:
                leaves += self._leaves(field.base, f"{prefix}{name}.")
            else:
                leaves.append((f"{prefix}{name}", field))
        return leaves

    def _make_step(self, path: str, field: FieldType) -> Step:
        if field.nested:
            return partial(self._write_messages, path, field, attrgetter(path))
        if field.base == "string":
            if field.cardinality is Cardinality.SCALAR:
                return partial(_write_string, path, field, attrgetter(path))
            return _Strings(path, field)
        if field.cardinality is Cardinality.SCALAR:
            return partial(_write_boolean, path, field, attrgetter(path))
        return _Array(path, field)

    def _write_messages(
        self, path: str, field: FieldType, get: Callable[[Any], Any], out: bytearray, message: Any
    ) -> None:
        items = get(message)
        check_length(items, field, path)
        if field.cardinality is not Cardinality.ARRAY:
            _write_count(out, len(items))
        steps = self._steps_of(field.base)
        for item in items:
            if item.__type_name__ != field.base:
                raise mismatch(item, field, path)
            for step in steps:
                step(out, item)


class _Numbers:
    """Writes numbers in a row: one layout for every alignment the row may start at."""

    def __init__(self, row: list[tuple[str, FieldType]]) -> None:
        paths = [path for path, _ in row]
        get = attrgetter(*paths)
        self._get = get if len(paths) > 1 else lambda message: (get(message),)
        formats = [_FORMATS[field.base] for _, field in row]
        self._pack = [_layout(formats, start).pack for start in range(_LARGEST_ALIGNMENT)]

    def __call__(self, out: bytearray, message: Any) -> None:
        start = (len(out) - len(ENCAPSULATION)) % _LARGEST_ALIGNMENT
        out += self._pack[start](*self._get(message))


class _Strings:
    """Writes a list of strings; remembers the last one and its text."""

    def __init__(self, path: str, field: FieldType) -> None:
        self._path = path
        self._field = field
        self._get = attrgetter(path)
        self._last: tuple[tuple[str, ...], int, bytes] = ((), -1, b"")

    def __call__(self, out: bytearray, message: Any) -> None:
        items = self._get(message)
        if type(items) is str:
            raise mismatch(items, self._field, self._path)
        key, start = tuple(items), len(out) % 4
        known, known_start, text = self._last
        if key != known or start != known_start:
            text = self._encode(key, start)
            self._last = key, start, text
        out += text

    def _encode(self, items: tuple[str, ...], start: int) -> bytes:
        check_length(items, self._field, self._path)
        out = bytearray(start)
        if self._field.cardinality is not Cardinality.ARRAY:
            _write_count(out, len(items))
        for item in items:
            _append_string(out, str(check_scalar(item, self._field, self._path)))
        return bytes(out[start:])


class _Array:
    """Writes an array or a sequence of numbers."""

    def __init__(self, path: str, field: FieldType) -> None:
        self._path = path
        self._field = field
        self._get = attrgetter(path)
        self._counted = field.cardinality is not Cardinality.ARRAY
        self._itemsize = DTYPES[field.base].itemsize

    def __call__(self, out: bytearray, message: Any) -> None:
        array = check_numbers(self._get(message), self._field, self._path)
        if self._counted:
            _write_count(out, len(array))
        if len(array):
            out += _ZEROS[-(len(out) - len(ENCAPSULATION)) % self._itemsize]
            out += array.data


def _layout(formats: list[str], start: int) -> struct.Struct:
    text, position = "<", start
    for letter in formats:
        size = struct.calcsize(f"<{letter}")
        padding = -position % size
        text += "x" * padding + letter
        position += padding + size
    return struct.Struct(text)


def _write_boolean(
    path: str, field: FieldType, get: Callable[[Any], Any], out: bytearray, message: Any
) -> None:
    out.append(1 if check_scalar(get(message), field, path) else 0)


def _write_string(
    path: str, field: FieldType, get: Callable[[Any], Any], out: bytearray, message: Any
) -> None:
    value = get(message)
    if field.string_capacity:
        check_scalar(value, field, path)
    _append_string(out, value)


def _append_string(out: bytearray, value: str) -> None:
    data = value.encode()
    _write_count(out, len(data) + 1)
    out += data
    out.append(0)


def _write_count(out: bytearray, count: int) -> None:
    out += _ZEROS[-len(out) % 4]
    out += _COUNT.pack(count)
