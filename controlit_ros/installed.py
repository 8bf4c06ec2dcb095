"""What installed packages offer by entry points."""

import sys
from functools import lru_cache
from importlib import metadata
from typing import Any


def entry_points(group: str) -> metadata.EntryPoints:
    """Return the entry points of a group; a package that joins the path later is seen as well."""
    found: metadata.EntryPoints = _scan(tuple(sys.path)).select(group=group)
    return found


@lru_cache(maxsize=1)
def _scan(_path: tuple[str, ...]) -> Any:  # Python 3.10 has a type of its own for it
    """Read every package's once: that takes milliseconds, and a controller asks dozens of times."""
    return metadata.entry_points()
