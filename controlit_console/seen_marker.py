"""SeenMarker: a marker as it is drawn, read from the bytes that a controller sends."""

import struct
from typing import NamedTuple

import numpy as np

from controlit_console.marker_kinds import DELETE
from controlit_ros.arrays import Array

LITTLE = 1  # second byte of a message
ENCAPSULATION = 4  # [bytes] before what alignment counts from
POINT, COLOR, UV = 3, 4, 2  # numbers of each
NUMBERS = POINT + 4 + POINT  # of position, orientation and scale


class SeenMarker(NamedTuple):
    """What is shown of a `visualization_msgs/msg/Marker`.

    Attributes:
        ns: Namespace.
        id: Number within it.
        type: What it is.
        action: `DELETE` takes it away.
        position: `(3,)` [m].
        orientation: `(4,)` quaternion xyzw.
        scale: `(3,)` [m].
        color: `(4,)` red, green, blue, opacity, 0 to 1.
        points: `(n, 3)` [m].
        colors: `(n, 4)` of points; none: all have that of the marker.
    """

    ns: str
    id: int
    type: int
    action: int = 0
    position: Array = np.zeros(3)
    orientation: Array = np.array([0.0, 0.0, 0.0, 1.0])
    scale: Array = np.ones(3)
    color: Array = np.ones(4)
    points: Array = np.zeros((0, POINT))
    colors: Array = np.zeros((0, COLOR))

    @property
    def is_deleted(self) -> bool:
        """Whether it is taken away."""
        return self.action == DELETE


def read_markers(data: bytes | memoryview) -> list[SeenMarker]:
    """Return the markers of a `visualization_msgs/msg/MarkerArray`, in a third of the time.

    They come 25 times a second with hundreds of points, of which the decoder of all messages makes
    an object each; here they are views of the bytes.

    Raises:
        ValueError: The bytes are no such message.
    """
    reader = _Bytes(data)
    try:
        return [_marker(reader) for _ in range(reader.count())]
    except (struct.error, UnicodeDecodeError) as error:
        raise ValueError(f"{len(data)} bytes are no markers: {error}") from error


def _marker(reader: "_Bytes") -> SeenMarker:
    reader.skip(4, 8)  # stamp
    reader.text()
    ns = reader.text()
    number, kind, action = reader.integers()
    numbers = reader.array("f8", NUMBERS)
    color = reader.array("f4", COLOR)
    reader.skip(4, 8)  # lifetime
    reader.skip(1, 1)  # whether it is locked to its frame
    points = reader.array("f8", POINT * reader.count())
    colors = reader.array("f4", COLOR * reader.count())
    _skip_rest(reader)
    position, orientation, scale = numbers[:3], numbers[3:7], numbers[7:]
    return SeenMarker(
        ns,
        number,
        kind,
        action,
        position,
        orientation,
        scale,
        color,
        points.reshape(-1, POINT),
        colors.reshape(-1, COLOR),
    )


def _skip_rest(reader: "_Bytes") -> None:
    """Skip texture, text and mesh, which no part of this page draws."""
    reader.text()
    reader.skip(4, 8)  # stamp of a picture
    reader.text()
    reader.text()
    reader.skip(1, reader.count())
    reader.array("f4", UV * reader.count())
    reader.text()
    reader.text()
    reader.text()
    reader.skip(1, reader.count())
    reader.skip(1, 1)


class _Bytes:
    """Reads CDR from its beginning to its end."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = bytes(data)
        self._order = "<" if self._data[1:2] == bytes([LITTLE]) else ">"
        self._count = struct.Struct(f"{self._order}I")
        self._integers = struct.Struct(f"{self._order}3i")
        self._at = ENCAPSULATION

    def count(self) -> int:
        """Read how many there are of what follows."""
        self._align(4)
        count: int = self._count.unpack_from(self._data, self._at)[0]
        self._at += 4
        return count

    def text(self) -> str:
        """Read a text, which ends with a zero."""
        begin = self.count() + self._at
        text = self._data[self._at : begin - 1].decode()
        self._at = begin
        return text

    def integers(self) -> tuple[int, int, int]:
        """Read three."""
        self._align(4)
        numbers = self._integers.unpack_from(self._data, self._at)
        self._at += self._integers.size
        return numbers

    def array(self, kind: str, count: int) -> Array:
        """Read numbers, `(count,)`; none are not aligned to either."""
        if not count:
            return np.zeros(0)
        dtype = np.dtype(f"{self._order}{kind}")
        self._align(dtype.itemsize)
        numbers = np.frombuffer(self._data, dtype, count, self._at)
        self._at += numbers.nbytes
        return numbers

    def skip(self, alignment: int, count: int) -> None:
        """Pass over some bytes."""
        if count:
            self._align(alignment)
        self._at += count

    def _align(self, size: int) -> None:
        self._at += -(self._at - ENCAPSULATION) % size
