"""Memory that a process shares with those that it forks off."""

import mmap
from collections.abc import Callable
from typing import TypeAlias

Memory: TypeAlias = Callable[[int], memoryview]
"""Returns so many bytes of zeros."""


def private_memory(size: int) -> memoryview:
    """Return memory of this process alone, `size` [bytes]."""
    return memoryview(bytearray(size))


def shared_memory(size: int) -> memoryview:
    """Return memory that processes forked later have in common with this one, `size` [bytes].

    It has no name and no file: nothing is left when its processes end, however they do.
    """
    return memoryview(mmap.mmap(-1, max(size, 1)))[:size]
