"""The type of one field of a message."""

from dataclasses import dataclass
from enum import Enum, auto


class Cardinality(Enum):
    """How many values a field holds."""

    SCALAR = auto()
    ARRAY = auto()
    BOUNDED_SEQUENCE = auto()
    SEQUENCE = auto()


@dataclass(frozen=True)
class FieldType:
    """The type of one field: a primitive or another message, once or many times.

    Attributes:
        base: a primitive (`float64`, `string`, ...) or the full name of a message type.
        nested: whether `base` is a message type.
        cardinality: scalar, array of fixed length, or sequence with or without a bound.
        capacity: length of an array, bound of a sequence, else 0.
        string_capacity: longest string allowed, 0 for any.
    """

    base: str
    nested: bool = False
    cardinality: Cardinality = Cardinality.SCALAR
    capacity: int = 0
    string_capacity: int = 0

    def __str__(self) -> str:
        text = f"{self.base}<={self.string_capacity}" if self.string_capacity else self.base
        if self.cardinality is Cardinality.ARRAY:
            return f"{text}[{self.capacity}]"
        if self.cardinality is Cardinality.BOUNDED_SEQUENCE:
            return f"{text}[<={self.capacity}]"
        if self.cardinality is Cardinality.SEQUENCE:
            return f"{text}[]"
        return text
