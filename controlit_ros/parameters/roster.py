"""Roster: parts of a controller that may come and go while it runs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

_Part = TypeVar("_Part")


class Roster(Sequence[_Part]):
    """Parts in their order, as they are now.

    Whoever keeps a roster follows its changes. They are made as a whole: who iterates meanwhile
    sees all parts of before or all of after, in any thread.

    Args:
        parts: Those at the start.
    """

    def __init__(self, parts: Iterable[_Part] = ()) -> None:
        self._parts = tuple(parts)

    def replace(self, parts: Iterable[_Part]) -> None:
        """Hold other parts from now on."""
        self._parts = tuple(parts)

    def __iter__(self) -> Iterator[_Part]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    @overload
    def __getitem__(self, index: int) -> _Part: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[_Part, ...]: ...

    def __getitem__(self, index: int | slice) -> _Part | tuple[_Part, ...]:
        return self._parts[index]

    def __repr__(self) -> str:
        return f"Roster({list(self._parts)!r})"
