"""Where the entries of a configuration file stand."""

from collections.abc import Mapping
from typing import NamedTuple

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the top of the file to an entry: `("tasks", 2, "type")`."""

_CHOOSING: Mapping[str | int, KeyPath] = {
    "robot_interface": ("parameters", "robot_interface_type"),
    "servo_clock": ("parameters", "servo_clock_type"),
    "simulator": ("parameters", "robot_interface_type"),
    "whole_body_controller": ("parameters", "whole_body_controller_type"),
}
"""What chooses the part that a section refines, for sections that a file leaves out."""


class Location(NamedTuple):
    """A place in a text, counted from 1."""

    line: int
    column: int


class Origin(NamedTuple):
    """Where a configuration comes from.

    Attributes:
        source: Name of the file, for messages.
        locations: Where each entry stands: its key in a mapping, the entry itself in a list.
        overridden: Entries that stand in no file.
        warnings: What is legal but probably not meant.
        text: What was read; empty when nothing was.
    """

    source: str
    locations: Mapping[KeyPath, Location]
    overridden: frozenset[KeyPath] = frozenset()
    warnings: tuple[str, ...] = ()
    text: str = ""

    def locate(self, path: KeyPath) -> Location:
        """Return where an entry stands, or else what should hold it, at last the first line.

        Of a section that is missing: what chooses the part that the section would refine.
        """
        for way in (path, _CHOOSING.get(path[0], ()) if path else ()):
            for end in range(len(way), 0, -1):
                location = self.locations.get(way[:end])
                if location is not None:
                    return location
        return Location(1, 1)

    def is_overridden(self, path: KeyPath) -> bool:
        """Whether an entry, or what holds it, was given from outside the file."""
        return any(path[:end] in self.overridden for end in range(1, len(path) + 1))


def format_path(path: KeyPath) -> str:
    """Write a path as people do: `tasks[2].type`."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text
