"""The classes of messages, made from their definitions."""

from dataclasses import make_dataclass
from typing import Any, ClassVar

import numpy as np

from .definition import MessageDefinition


class Message:
    """A message: one attribute per field, constants as class attributes.

    Attributes that are not fields are refused. Arrays of numbers are numpy arrays; those of
    received messages are read-only views of the bytes that came in. `__type_name__` and
    `__field_names__` describe the class; their underscores keep them apart from fields.
    """

    __slots__ = ()
    __type_name__: ClassVar[str]
    __field_names__: ClassVar[tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or other.__type_name__ != self.__type_name__:
            return NotImplemented
        return all(
            _equal(getattr(self, name), getattr(other, name)) for name in self.__field_names__
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__field_names__)
        return f"{self.__type_name__.rsplit('/', 1)[-1]}({fields})"

    def __getattr__(self, name: str) -> Any:
        # Only here so that type checkers accept fields; found attributes never get here.
        raise AttributeError(
            f"{self.__type_name__} has no field {name!r}; "
            f"its fields: {', '.join(self.__field_names__)}"
        )


def message_class(definition: MessageDefinition) -> type[Message]:
    """Make the class of a message type; its constructor takes all fields in order."""
    return make_dataclass(
        definition.name.replace("/", "__"),
        list(definition.fields),
        bases=(Message,),
        namespace={
            **definition.constants,
            "__type_name__": definition.name,
            "__field_names__": tuple(definition.fields),
            "__module__": __name__,
        },
        repr=False,
        eq=False,
        slots=True,
    )


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.array_equal(left, right, equal_nan=_is_float(left) and _is_float(right))
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (left != left and right != right)  # noqa: PLR0124 (NaN)
    return bool(left == right)


def _is_float(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype.kind == "f"
