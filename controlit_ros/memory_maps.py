"""memory_maps: what Linux tells of the memory of a process in `/proc/PID/smaps`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_ENTRY = re.compile(r"^(?=[0-9a-f]+-[0-9a-f]+ )", re.MULTILINE)
_SIZE = re.compile(r"^(\w+): +(\d+) kB$", re.MULTILINE)


class MemoryMap(NamedTuple):
    """A mapping.

    Attributes:
        begin: First address.
        end: The address after the last.
        rights: Such as "r-xp".
        offset: Where it begins in its file.
        path: Of the file; empty: it has none.
        told: Everything else that is told of it.
    """

    begin: int
    end: int
    rights: str
    offset: str
    path: str
    told: str


def memory_maps(text: str) -> Iterator[MemoryMap]:
    """Yield the mappings of the text of `smaps`."""
    for entry in _ENTRY.split(text)[1:]:
        heading, _, told = entry.partition("\n")
        place, rights, offset, _, _, *path = heading.split(maxsplit=5)
        begin, end = (int(address, 16) for address in place.split("-"))
        yield MemoryMap(begin, end, rights, offset, "".join(path).strip(), told)


def sizes_told(text: str) -> dict[str, int]:
    """Return the sizes in a text by their kind, such as "Rss" [kB]."""
    return {kind: int(size) for kind, size in _SIZE.findall(text)}
