"""Message and service types without any middleware.

Node code names no message class: `new("sensor_msgs/msg/JointState", name=[...])` makes a message,
attributes read and write its fields. The functions of this module work on one book that all parts
of a process share.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from .definition import MessageDefinition
from .errors import DecodeError, DefinitionError, FieldError, UnknownTypeError
from .field_type import Cardinality, FieldType
from .message import Message
from .type_book import TypeBook


@cache
def type_book() -> TypeBook:
    """Return the book that the functions of this module use; it is read on first use."""
    return TypeBook()


def new(type_name: str, **fields: Any) -> Message:
    """Make a message; fields not given have their default (see `TypeBook.new`)."""
    return type_book().from_dict(type_name, fields)


def encode(type_name: str, message: Message) -> bytes:
    """Return the message as it goes over the wire (see `TypeBook.encode`)."""
    return type_book().encode(type_name, message)


def decode(type_name: str, data: bytes | memoryview) -> Message:
    """Return the message that the bytes hold (see `TypeBook.decode`)."""
    return type_book().decode(type_name, data)


def to_dict(message: Message) -> dict[str, Any]:
    """Return the message as plain values (see `TypeBook.to_dict`)."""
    return type_book().to_dict(message)


def from_dict(type_name: str, values: Mapping[str, Any]) -> Message:
    """Make a message from plain values (see `TypeBook.from_dict`)."""
    return type_book().from_dict(type_name, values)


def type_hash(type_name: str) -> str:
    """Return the type hash of a message or service type (see `TypeBook.type_hash`)."""
    return type_book().type_hash(type_name)
