"""What a message or service type consists of, and how its text is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import FieldDesc, Typesdict
from rosbags.typesys import TypesysError
from rosbags.typesys.base import make_typesdict, normalize_fieldname
from rosbags.typesys.msg import MSGParser

from .errors import DefinitionError
from .field_type import Cardinality, FieldType
from .ros_texts import FIELD_DEFAULTS

Constant: TypeAlias = bool | int | float | str
Parse: TypeAlias = "Callable[[str, str], MessageDefinition]"
"""Reads a message: its full name and its text."""

NUMBER = FieldType("float64")
EMPTY_MEMBER = "structure_needs_at_least_one_member"
"""Name of the member that ROS 2 gives to a message without fields (one byte, uint8)."""


@dataclass(frozen=True)
class MessageDefinition:
    """Fields and constants of a message type, in the order of its text.

    The keys are the Python names: `from_` where ROS says `from`. `defaults` holds the values of
    fields that do not start at zero.
    """

    name: str
    fields: Mapping[str, FieldType]
    constants: Mapping[str, Constant] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def vector(self) -> tuple[str, ...]:
        """Names of all fields of what is numbers alone, as points are; else none."""
        are_numbers = all(kind == NUMBER for kind in self.fields.values())
        return tuple(self.fields) if are_numbers else ()


@dataclass(frozen=True)
class ServiceDefinition:
    """A service type: the names of its request and response message types."""

    name: str

    @property
    def request(self) -> str:
        """Full name of the request's message type."""
        return f"{self.name}_Request"

    @property
    def response(self) -> str:
        """Full name of the response's message type."""
        return f"{self.name}_Response"


def parse_message(name: str, text: str) -> MessageDefinition:
    """Read the text of a `.msg` file.

    Args:
        name: full name, `package/msg/Name`.
        text: content of the file.

    Raises:
        DefinitionError: the text is not a message definition.
    """
    # rosbags wants the name of a message also for the halves of a service
    package, _, short_name = name.split("/")
    try:
        parsed = MSGParser(f"MSG: {package}/msg/{short_name}\n{text}").specification()
        (definition,) = definitions(make_typesdict(parsed)).values()
    except (TypesysError, ValueError, KeyError) as error:
        raise DefinitionError(f"{name}: {error}") from error
    defaults = {
        normalize_fieldname(member.name): member.value
        for member in parsed[0].fields
        if member.value is not None
    }
    return replace(definition, name=name, defaults=defaults)


def parse_service(
    name: str, text: str, parse: Parse
) -> tuple[MessageDefinition, MessageDefinition]:
    """Read the text of a `.srv` file and return the request and the response.

    Args:
        name: full name, `package/srv/Name`.
        text: content of the file.
        parse: reads the halves.

    Raises:
        DefinitionError: the text is not a service definition.
    """
    lines = text.splitlines()
    separators = [number for number, line in enumerate(lines) if line.strip() == "---"]
    if len(separators) != 1:
        raise DefinitionError(
            f"{name}: found {len(separators)} lines '---', expected one "
            "between the request and the response"
        )
    service = ServiceDefinition(name)
    request = "\n".join(lines[: separators[0]])
    response = "\n".join(lines[separators[0] + 1 :])
    return parse(service.request, request), parse(service.response, response)


def definitions(types: Typesdict) -> dict[str, MessageDefinition]:
    """Translate the parse trees of rosbags."""
    found = {}
    for name, (constants, fields) in types.items():
        found[name] = MessageDefinition(
            name,
            {normalize_fieldname(key): _field_type(desc) for key, desc in fields}
            or {EMPTY_MEMBER: FieldType("uint8")},
            {key: value for key, _, value in constants},
            FIELD_DEFAULTS.get(name, {}),
        )
    return found


def _field_type(desc: FieldDesc) -> FieldType:
    if desc[0] == Nodetype.BASE:
        base, string_capacity = desc[1]
        return FieldType(base, string_capacity=string_capacity)
    if desc[0] == Nodetype.NAME:
        return FieldType(desc[1], nested=True)
    element = _field_type(desc[1][0])
    capacity = desc[1][1]
    if desc[0] == Nodetype.ARRAY:
        cardinality = Cardinality.ARRAY
    else:
        cardinality = Cardinality.BOUNDED_SEQUENCE if capacity else Cardinality.SEQUENCE
    return FieldType(element.base, element.nested, cardinality, capacity, element.string_capacity)
