"""What rosbags needs to tell the type hash of REP-2011, that of services and actions included.

By this hash ROS 2 nodes see that they mean the same type.
"""

from collections.abc import Mapping
from typing import Any, cast

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc

from .definition import MessageDefinition, ServiceDefinition
from .field_type import Cardinality, FieldType


class HashedTypes(dict[str, Any]):
    """Types as rosbags describes them, each when first asked for.

    To its hash a service is a message with three fields: request, response and event.

    Args:
        messages: Definitions by name, the parts of services among them.
        services: Likewise.
    """

    def __init__(
        self, messages: Mapping[str, MessageDefinition], services: Mapping[str, ServiceDefinition]
    ) -> None:
        super().__init__()
        self._messages = messages
        self._services = services

    def __missing__(self, name: str) -> Any:
        service = self._services.get(name)
        fields = self._messages[name].fields if service is None else _parts(service)
        described = [(key.rstrip("_"), describe(field)) for key, field in fields.items()]
        return self.setdefault(name, ([], described))


def describe(field: FieldType) -> FieldDesc:
    """Describe a field to rosbags; a `char` of ROS 2 is a uint8, only IDL has another."""
    base = "uint8" if field.base == "char" else field.base
    scalar = (
        (Nodetype.NAME, base) if field.nested else (Nodetype.BASE, (base, field.string_capacity))
    )
    if field.cardinality is Cardinality.SCALAR:
        return cast("FieldDesc", scalar)
    kind = Nodetype.ARRAY if field.cardinality is Cardinality.ARRAY else Nodetype.SEQUENCE
    return cast("FieldDesc", (kind, (scalar, field.capacity)))


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


def _parts(service: ServiceDefinition) -> Mapping[str, FieldType]:
    names = {
        "request_message": service.request,
        "response_message": service.response,
        "event_message": event_definition(service).name,
    }
    return {part: FieldType(name, nested=True) for part, name in names.items()}
