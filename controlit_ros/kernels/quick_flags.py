"""quick_flags: numba compares its flags by what is set, not option by option."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core.compiler import Flags


@contextmanager
def flags_compared_quickly() -> Iterator[None]:
    """Compare flags quickly within, with the result that numba finds; for one thread at a time.

    They are part of the key by which numba looks up what it knows of an operator, which it does
    so often that reading all options each time takes a fifth of a compilation.
    """
    before = Flags.__eq__, Flags.__hash__
    Flags.__eq__, Flags.__hash__ = _are_equal, _hash
    try:
        yield
    finally:
        Flags.__eq__, Flags.__hash__ = before


def _are_equal(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    mine, others = one._values, other._values  # noqa: SLF001 - what is set
    if mine == others:
        return True
    kind: Any = type(one)
    defaults = _defaults(kind)
    return bool({**defaults, **mine} == {**defaults, **others})


def _hash(flags: Any) -> int:
    kind: Any = type(flags)
    return _hash_of(kind)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


@cache
def _hash_of(kind: Any) -> int:
    """Return a hash of the names of options: numba's, whatever their values are."""
    return hash(tuple(sorted(kind.options)))
