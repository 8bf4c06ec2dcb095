"""Decoder: rosbags' type store, of which only what reads messages is compiled."""

from functools import cached_property
from typing import TYPE_CHECKING, cast

from rosbags.serde.cdr import generate_deserialize_cdr
from rosbags.typesys.base import normalize_fieldname
from rosbags.typesys.store import Typestore

if TYPE_CHECKING:
    from rosbags.interfaces import CDRDeser, Msgdef
    from rosbags.interfaces.typing import Fielddefs

HEADER = 4  # [bytes] of CDR


class Decoder(Typestore):
    """Reads messages that ROS 2 sends.

    rosbags compiles twelve functions of each type, for bags of ROS 1 and for writing, too; a node
    with a hundred types waits half a second for them.
    """

    def get_msgdef(self, typename: str) -> "Msgdef[object]":
        """Return what reads a type; made when it is first asked for."""
        if typename not in self.cache:
            self.cache[typename] = cast("Msgdef[object]", _Reading(self, typename))
        return self.cache[typename]

    def deserialize_begin(self, rawdata: bytes | memoryview, typename: str) -> object:
        """Return the message that bytes begin with, which are those of this machine."""
        reading = self.get_msgdef(typename)
        message, _ = reading.deserialize_cdr_le(rawdata[HEADER:], 0, reading.cls, self)
        return message


class _Reading:
    """What generated code asks of a type in order to read it.

    Args:
        store: Has it.
        name: Of the type.
    """

    def __init__(self, store: Decoder, name: str) -> None:
        self._store = store
        self.cls = store.types[name]
        fields = store.fielddefs[name][1]
        self.fields: Fielddefs = [(normalize_fieldname(field), kind) for field, kind in fields]

    @cached_property
    def deserialize_cdr_le(self) -> "CDRDeser":
        """Read it in little-endian order."""
        return generate_deserialize_cdr(self.fields, self._store, "le")

    @cached_property
    def deserialize_cdr_be(self) -> "CDRDeser":
        """Read it in big-endian order."""
        return generate_deserialize_cdr(self.fields, self._store, "be")
