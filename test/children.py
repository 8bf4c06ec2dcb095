"""The processes that a process started, by name."""

from contextlib import suppress
from pathlib import Path


def children_of(pid: int) -> dict[str, int]:
    """Return the processes that threads of a process started, by name."""
    found = {}
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            with suppress(OSError):  # it has ended meanwhile
                found[Path(f"/proc/{child}/comm").read_text().strip()] = int(child)
    return found
