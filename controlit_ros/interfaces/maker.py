"""Makes messages from plain values."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.errors import did_you_mean

from .definition import MessageDefinition
from .errors import FieldError
from .field_type import Cardinality, FieldType
from .message import Message
from .values import DTYPES, check_length, check_numbers, check_scalar, default_scalar, mismatch

Fresh = Callable[[], Any]
"""Returns the default of a field, which nobody else has."""


class _Filled(NamedTuple):
    """A field of a type: its name, what fits it, and its default."""

    name: str
    type: FieldType
    fresh: Fresh


class Maker:
    """Makes the messages of a book; fields that are not given have their default.

    What each type needs is found once: a drawing has hundreds of messages, most of whose fields
    are not given.

    Args:
        messages: Definitions by name; may grow.
        classes: Classes of messages by name.
    """

    def __init__(
        self, messages: Mapping[str, MessageDefinition], classes: Mapping[str, type[Message]]
    ) -> None:
        self._messages = messages
        self._classes = classes
        self._fields: dict[str, tuple[_Filled, ...]] = {}

    def make(self, definition: MessageDefinition, values: Mapping[str, Any], path: str) -> Message:
        """Return a message.

        Args:
            definition: Its type.
            values: By field.
            path: Of the field that it is for; empty: for none.

        Raises:
            FieldError: A field does not exist or a value does not fit it; the text has the path.
        """
        if definition.vector and len(values) == len(definition.vector):
            numbers = [values.get(name) for name in definition.vector]
            if all(type(number) is float for number in numbers):  # as hundreds in one message are
                return self._classes[definition.name](*numbers)
        for name in values:
            if name not in definition.fields:
                raise FieldError(
                    f"{definition.name} has no field {join(path, str(name))!r}"
                    f"{did_you_mean(str(name), definition.fields)}"
                )
        arguments = [
            self.value(values[field.name], field.type, join(path, field.name))
            if field.name in values
            else field.fresh()
            for field in self._fields_of(definition)
        ]
        return self._classes[definition.name](*arguments)

    def value(self, value: Any, field: FieldType, path: str) -> Any:
        """Return a value as a message has it.

        Raises:
            FieldError: It does not fit the field; the text has the path.
        """
        if field.cardinality is Cardinality.SCALAR:
            if field.nested:
                return self._nested(value, field, path)
            return check_scalar(value, field, path)
        if not field.nested and field.base != "string":
            return check_numbers(value, field, path)
        if isinstance(value, str | bytes | Mapping | Message) or not hasattr(value, "__iter__"):
            raise mismatch(value, field, path)
        if field.nested and isinstance(value, np.ndarray):
            return self._vectors(value, field, path)
        element = self._nested if field.nested else check_scalar
        items = [element(item, field, f"{path}[{index}]") for index, item in enumerate(value)]
        check_length(items, field, path)
        return items

    def _vectors(self, value: Any, field: FieldType, path: str) -> list[Message]:
        """Return a message for each row of an array, the hundreds of points of a drawing."""
        names = self._messages[field.base].vector
        if value.ndim != 2 or value.shape[1] != len(names) or value.dtype != np.float64:
            raise mismatch(value, field, path)
        check_length(value, field, path)
        make = self._classes[field.base]
        return [make(*row) for row in value.tolist()]

    def _nested(self, value: Any, field: FieldType, path: str) -> Message:
        if isinstance(value, Message) and value.__type_name__ == field.base:
            return value
        if isinstance(value, Mapping):
            return self.make(self._messages[field.base], value, path)
        raise mismatch(value, field, path)

    def _fields_of(self, definition: MessageDefinition) -> tuple[_Filled, ...]:
        fields = self._fields.get(definition.name)
        if fields is None:
            fields = self._fields[definition.name] = tuple(
                _Filled(name, field, self._default(definition, name, field))
                for name, field in definition.fields.items()
            )
        return fields

    def _default(self, definition: MessageDefinition, name: str, field: FieldType) -> Fresh:
        is_number_or_text = field.cardinality is Cardinality.SCALAR and not field.nested
        if name in definition.defaults:
            given = partial(self.value, definition.defaults[name], field, name)
            return _always(given()) if is_number_or_text else given
        if is_number_or_text:
            return _always(default_scalar(field.base))
        if field.cardinality is Cardinality.SCALAR:
            return partial(self._bare, field.base)
        return self._default_items(field)

    def _default_items(self, field: FieldType) -> Fresh:
        length = field.capacity if field.cardinality is Cardinality.ARRAY else 0
        if field.nested:
            return lambda: [self._bare(field.base) for _ in range(length)]
        if field.base == "string":
            return lambda: [""] * length
        return partial(np.zeros, length, DTYPES[field.base])

    def _bare(self, type_name: str) -> Message:
        """Return a message of which nothing is given."""
        fields = self._fields_of(self._messages[type_name])
        return self._classes[type_name](*[field.fresh() for field in fields])


def join(path: str, name: str) -> str:
    """Return the path of a field."""
    return f"{path}.{name}" if path else name


def _always(value: Any) -> Fresh:
    return lambda: value
