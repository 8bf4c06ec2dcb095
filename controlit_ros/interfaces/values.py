"""Values of fields: defaults, and checks that a value fits."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import FieldError
from .field_type import Cardinality, FieldType

_ACCEPTED_KINDS = {"f": "iuf", "i": "iu", "u": "iu", "b": "b"}

DTYPES = {
    "bool": np.dtype(np.bool_),
    "byte": np.dtype(np.uint8),
    "char": np.dtype(np.uint8),
    "int8": np.dtype(np.int8),
    "uint8": np.dtype(np.uint8),
    "int16": np.dtype(np.int16),
    "uint16": np.dtype(np.uint16),
    "int32": np.dtype(np.int32),
    "uint32": np.dtype(np.uint32),
    "int64": np.dtype(np.int64),
    "uint64": np.dtype(np.uint64),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}

INTEGER_RANGES = {
    name: (int(np.iinfo(dtype.name).min), int(np.iinfo(dtype.name).max))
    for name, dtype in DTYPES.items()
    if dtype.kind in "iu"
}
"""Lowest and highest value; `numpy.iinfo` takes as long as all the rest of a check."""
TOO_LARGE = 2.0**128 - 2.0**103
"""The least number that is infinite in single precision, halfway beyond the largest one."""


def default_scalar(base: str) -> bool | int | float | str:
    """Return the zero of a primitive type."""
    if base == "string":
        return ""
    zero: bool | int | float = DTYPES[base].type(0).item()
    return zero


def check_scalar(value: Any, field: FieldType, path: str) -> bool | int | float | str:
    """Return `value` as the Python value of a primitive field.

    Raises:
        FieldError: the value has another type, or is out of range.
    """
    if type(value) is float and field.base == "float64":  # nearly all of most messages
        return value
    if field.base == "string":
        return _check_string(value, field, path)
    kind = DTYPES[field.base].kind
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if kind == "b":
        if isinstance(value, bool):
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if kind == "f":
            return _check_float(value, field, path)
        if isinstance(value, int):
            return _check_integer(value, field, path)
    raise mismatch(value, field, path)


def check_numbers(value: Any, field: FieldType, path: str) -> NDArray[Any]:
    """Return `value` as a contiguous vector with exactly the dtype of the field.

    Integers become floating-point numbers and wider integers narrower ones when they fit;
    arrays of more dimensions are flattened row by row.

    Raises:
        FieldError: the value is no array of such numbers, is out of range or has a wrong length.
    """
    dtype = DTYPES[field.base]
    array: NDArray[Any] = value
    if (
        type(value) is not np.ndarray
        or value.dtype is not dtype
        or value.ndim != 1
        or not value.flags.c_contiguous
    ):
        array = _convert(value, dtype, field, path)
    if field.cardinality is not Cardinality.SEQUENCE:
        check_length(array, field, path)
    return array


def check_length(value: Sequence[Any] | NDArray[Any], field: FieldType, path: str) -> None:
    """Raise `FieldError` unless an array has its length and a sequence stays within its bound."""
    length = len(value)
    if field.cardinality is Cardinality.ARRAY and length != field.capacity:
        raise FieldError(f"{path}: found {length} values, expected {field.capacity}")
    if field.cardinality is Cardinality.BOUNDED_SEQUENCE and length > field.capacity:
        raise FieldError(f"{path}: found {length} values, expected at most {field.capacity}")


def mismatch(value: Any, field: FieldType, path: str) -> FieldError:
    """Return the error for a value of the wrong type."""
    shown = repr(value)
    if len(shown) > 60:
        shown = f"{shown[:57]}..."
    return FieldError(f"{path}: found {shown} ({type(value).__name__}), expected {field}")


def _check_string(value: Any, field: FieldType, path: str) -> str:
    if not isinstance(value, str):
        raise mismatch(value, field, path)
    if field.string_capacity and len(value.encode()) > field.string_capacity:
        raise FieldError(
            f"{path}: found {len(value.encode())} bytes of text, "
            f"expected at most {field.string_capacity}"
        )
    return str(value)


def _check_float(value: float, field: FieldType, path: str) -> float:
    try:
        number = float(value)
    except OverflowError as error:
        raise mismatch(value, field, path) from error
    if field.base == "float32" and TOO_LARGE <= abs(number) < math.inf:
        raise FieldError(f"{path}: {number} is out of the range of {field.base}")
    return number


def _check_integer(value: int, field: FieldType, path: str) -> int:
    lowest, highest = INTEGER_RANGES[field.base]
    if not lowest <= value <= highest:
        raise FieldError(
            f"{path}: {value} is out of the range of {field.base}, {lowest} to {highest}"
        )
    return value


def _convert(value: Any, dtype: np.dtype[Any], field: FieldType, path: str) -> NDArray[Any]:
    array = _vector(value, field, path)
    if array.dtype == dtype or array.size == 0:
        return np.ascontiguousarray(array, dtype)
    if array.dtype.kind not in _ACCEPTED_KINDS[dtype.kind]:
        raise mismatch(value, field, path)
    if dtype.kind in "iu":
        for extreme in (int(array.min()), int(array.max())):
            _check_integer(extreme, field, path)
    return array.astype(dtype)


def _vector(value: Any, field: FieldType, path: str) -> NDArray[Any]:
    if isinstance(value, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(value), np.uint8)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise mismatch(value, field, path) from error
    if array.ndim == 0:
        raise mismatch(value, field, path)
    return array.ravel()
