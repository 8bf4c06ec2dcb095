"""What rmw_cyclonedds puts before the body of requests and replies."""

import struct
from dataclasses import dataclass

from controlit_ros.interfaces import DecodeError

_ENCAPSULATION = 4
_LAYOUT = struct.Struct("<Qq")


@dataclass(frozen=True)
class ServiceHeader:
    """Says which call a request or a reply belongs to.

    Attributes:
        client: handle of the client's request writer, 64 bits.
        sequence: number of the call, counted by the client.
    """

    client: int
    sequence: int

    def prepend(self, data: bytes) -> bytes:
        """Return the sample for an encoded message.

        The header is 16 bytes long, so the alignment of the message does not change.
        """
        header = _LAYOUT.pack(self.client, self.sequence)
        return data[:_ENCAPSULATION] + header + data[_ENCAPSULATION:]

    @classmethod
    def split(cls, sample: bytes) -> tuple["ServiceHeader", bytes]:
        """Return header and encoded message of a sample.

        Raises:
            DecodeError: the sample is too short, or not little-endian.
        """
        body = _ENCAPSULATION + _LAYOUT.size
        if len(sample) < body or sample[:2] != b"\x00\x01":
            raise DecodeError(f"{len(sample)} bytes are no service call")
        header = cls(*_LAYOUT.unpack_from(sample, _ENCAPSULATION))
        return header, sample[:_ENCAPSULATION] + sample[body:]
