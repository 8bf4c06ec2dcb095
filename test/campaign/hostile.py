"""Values nobody in his right mind would send."""

import math

import numpy as np

from controlit_ros.interfaces import Cardinality, FieldType, Message, from_dict, to_dict, type_book

NUMBERS = (
    math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -1e-300, 1e308, -1.7e308, 1e154, 2.0**63,
    1e6, -1e6, 300.0, -10.0, 1.0, 1e-3,
)  # fmt: skip
TEXTS = ("", " ", "/", "../..", "a" * 300, "\u202e", "na\x01me", "%s%n", "0", "Posture", "nan", "[")
LENGTHS = (0, 1, 2, 3, 4, 7, 16, 33, 4096)
INTEGER_BITS = {"byte": (0, 8), "char": (0, 8)}


def hostile_number(rng: np.random.Generator) -> float:
    """Return an extreme number, or one of any size."""
    if rng.random() < 0.4:
        return float(rng.choice(NUMBERS))
    return float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-9.0, 12.0))


def hostile_message(rng: np.random.Generator, type_name: str) -> Message:
    """Return a message of a type that can be sent, with contents nobody asked for."""
    return from_dict(type_name, _fields(rng, type_name, depth=0))


def has_only_finite_numbers(message: object) -> bool:
    """Tell whether every number of a message is finite."""
    if isinstance(message, Message):
        return has_only_finite_numbers(to_dict(message))
    if isinstance(message, dict):
        return all(has_only_finite_numbers(value) for value in message.values())
    if isinstance(message, np.ndarray):
        return bool(message.dtype.kind != "f" or np.isfinite(message).all())
    if isinstance(message, list):
        return all(has_only_finite_numbers(value) for value in message)
    return not isinstance(message, float) or math.isfinite(message)


def _fields(rng: np.random.Generator, type_name: str, depth: int) -> dict[str, object]:
    definition = type_book().definition(type_name)
    return {key: _value(rng, field, depth) for key, field in definition.fields.items()}


def _value(rng: np.random.Generator, field: FieldType, depth: int) -> object:
    if field.cardinality is Cardinality.SCALAR:
        return _scalar(rng, field, depth)
    length = field.capacity
    if field.cardinality is not Cardinality.ARRAY:
        longest = 3 if field.nested or field.base == "string" else max(LENGTHS)
        length = min(int(rng.choice(LENGTHS)), field.capacity or longest, longest)
    return [_scalar(rng, field, depth) for _ in range(length)]


def _scalar(rng: np.random.Generator, field: FieldType, depth: int) -> object:
    if field.nested:
        return _fields(rng, field.base, depth + 1)
    if field.base == "string":
        text = str(rng.choice(TEXTS))
        return text[: field.string_capacity] if field.string_capacity else text
    if field.base == "bool":
        return bool(rng.integers(2))
    if field.base == "float32":
        return float(np.clip(hostile_number(rng), -3e38, 3e38))
    if field.base == "float64":
        return hostile_number(rng)
    return _integer(rng, field.base)


def _integer(rng: np.random.Generator, base: str) -> int:
    low, high = INTEGER_BITS.get(base, (0, 0))
    if not high:
        info = np.iinfo(base)
        extremes = [int(info.min), max(-1, int(info.min)), 0, 1, 9, int(info.max)]
        return extremes[rng.integers(len(extremes))]
    return int(rng.integers(low, 2**high))
