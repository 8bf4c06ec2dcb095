"""Messages from what people type."""

from collections.abc import Mapping
from typing import Any

from controlit_ros.cli.plain_values import write_flow
from controlit_ros.interfaces import (
    Cardinality,
    FieldError,
    Message,
    MessageDefinition,
    new,
    type_book,
)


def message_of(type_name: str, value: Any) -> Message:
    """Return a message that holds a plain value.

    A map gives fields by name. A list gives the numbers of types like Point in their order;
    anything goes into the field `data` of types like Float64 that have one.

    Raises:
        FieldError: The value does not fit the type.
    """
    definition = type_book().definition(type_name)
    if value is None:
        return new(type_name)
    if isinstance(value, Mapping):
        return new(type_name, **{str(key): entry for key, entry in value.items()})
    if "data" in definition.fields:
        return new(type_name, data=value)
    if isinstance(value, list) and _is_flat(definition):
        if len(value) != len(definition.fields):
            raise FieldError(
                f"{type_name}: found {len(value)} values, expected {', '.join(definition.fields)}"
            )
        return new(type_name, **dict(zip(definition.fields, value, strict=True)))
    fields = ", ".join(f"{name}: {field}" for name, field in definition.fields.items())
    raise FieldError(f"{type_name}: found {write_flow(value)}, expected {{{fields}}}")


def _is_flat(definition: MessageDefinition) -> bool:
    return all(
        not field.nested and field.cardinality is Cardinality.SCALAR
        for field in definition.fields.values()
    )
