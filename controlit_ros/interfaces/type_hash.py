"""The type hash of REP-2011, by which ROS 2 nodes see that they mean the same type."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .definition import MessageDefinition, ServiceDefinition
from .field_type import Cardinality, FieldType

TYPE_IDS = {
    "int8": 2,
    "uint8": 3,
    "char": 3,  # a ROS 2 char is a uint8; only IDL knows the type with number 13
    "int16": 4,
    "uint16": 5,
    "int32": 6,
    "uint32": 7,
    "int64": 8,
    "uint64": 9,
    "float32": 10,
    "float64": 11,
    "bool": 15,
    "byte": 16,
    "string": 17,
}
NESTED_TYPE_ID = 1
BOUNDED_STRING_ID = 21

Description = dict[str, Any]


def message_hash(name: str, book: Mapping[str, MessageDefinition]) -> str:
    """Return `RIHS01_...` of the message type `name`.

    Args:
        name: full name of the type.
        book: definitions of the type and of all types it contains, by name.
    """
    return _hash(_describe(book[name]), _referenced(book[name], book))


def service_hash(service: ServiceDefinition, book: Mapping[str, MessageDefinition]) -> str:
    """Return `RIHS01_...` of a service type, which covers request, response and event."""
    event = event_definition(service)
    parts = MessageDefinition(
        service.name,
        {
            "request_message": FieldType(service.request, nested=True),
            "response_message": FieldType(service.response, nested=True),
            "event_message": FieldType(event.name, nested=True),
        },
    )
    return _hash(_describe(parts), _referenced(parts, {**book, event.name: event}))


def event_definition(service: ServiceDefinition) -> MessageDefinition:
    """Return the message that ROS 2 derives from every service for its introspection."""
    bounded = Cardinality.BOUNDED_SEQUENCE
    return MessageDefinition(
        f"{service.name}_Event",
        {
            "info": FieldType("service_msgs/msg/ServiceEventInfo", nested=True),
            "request": FieldType(service.request, nested=True, cardinality=bounded, capacity=1),
            "response": FieldType(service.response, nested=True, cardinality=bounded, capacity=1),
        },
    )


def _hash(description: Description, referenced: list[Description]) -> str:
    text = json.dumps(
        {"type_description": description, "referenced_type_descriptions": referenced},
        ensure_ascii=True,
        separators=(", ", ": "),
    )
    return f"RIHS01_{sha256(text.encode()).hexdigest()}"


def _referenced(
    definition: MessageDefinition, book: Mapping[str, MessageDefinition]
) -> list[Description]:
    found: dict[str, Description] = {}
    pending = [definition]
    while pending:
        for field in pending.pop().fields.values():
            if field.nested and field.base not in found:
                found[field.base] = _describe(book[field.base])
                pending.append(book[field.base])
    return [found[name] for name in sorted(found)]


def _describe(definition: MessageDefinition) -> Description:
    return {
        "type_name": definition.name,
        "fields": [
            {
                "name": name.rstrip("_"),
                "type": {
                    "type_id": _type_id(field),
                    "capacity": field.capacity,
                    "string_capacity": field.string_capacity,
                    "nested_type_name": field.base if field.nested else "",
                },
            }
            for name, field in definition.fields.items()
        ],
    }


def _type_id(field: FieldType) -> int:
    if field.nested:
        scalar = NESTED_TYPE_ID
    elif field.string_capacity:
        scalar = BOUNDED_STRING_ID
    else:
        scalar = TYPE_IDS[field.base]
    return scalar + field.cardinality.value
