"""Samples that Cyclone carries without looking inside."""

from copy import copy
from functools import cache
from typing import Any

from cyclonedds.idl import IdlStruct, make_idl_struct
from cyclonedds.idl.types import uint8

from .type_data import type_data


class OpaqueSample(IdlStruct):  # type: ignore[misc]
    """A sample in its encoded form; the type book knows what it means.

    Cyclone calls `serialize` when writing and `deserialize` when reading; both pass the bytes on.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sample_info: Any = None

    def serialize(self, **_: Any) -> bytes:
        """Return the bytes given to the constructor."""
        return self.data

    @classmethod
    def deserialize(cls, data: bytes, **_: Any) -> "OpaqueSample":
        """Return a sample that holds the bytes."""
        return cls(data)

    @classmethod
    def deserialize_key(cls, data: bytes, **_: Any) -> "OpaqueSample":
        """Return a sample that holds the bytes of a key, which ROS types do not have."""
        return cls(data)


@cache
def opaque_type(dds_type: str) -> type[OpaqueSample]:
    """Return the sample class for a DDS type name.

    To Cyclone it is a structure of one byte: all it ever checks is that a sample has one, which
    holds for every message of ROS 2. The byte is named after the type, because Cyclone compares
    structures, not their names, to find out whether a reader and a writer mean the same.
    """
    member = dds_type.replace("::", "_")
    made: type[OpaqueSample] = _structure(dds_type, member)
    idl = copy(_shape())
    idl.datatype, idl.idl_transformed_typename, idl.member_ids = made, dds_type, {member: 0}
    # what Cyclone would find out of the class, objects and their code; two names of its own
    idl._xt_data = idl._xt_bytedata = type_data(dds_type, member, OpaqueSample.__name__)  # noqa: SLF001
    made.__idl__ = idl
    return made


@cache
def _shape() -> Any:
    """Return what Cyclone knows of the shape that all types have."""
    idl = _structure("Shape", "byte").__idl__
    idl.populate()
    return idl


def _structure(dds_type: str, member: str) -> Any:
    return make_idl_struct(
        dds_type.rsplit("::", 1)[-1],
        dds_type,
        {member: uint8},
        bases=(OpaqueSample,),
        dataclassify=False,
    )
