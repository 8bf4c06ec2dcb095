"""Looks into a configuration whose values may still be wrong: what is, counts as empty."""

from collections.abc import Iterator, Mapping
from typing import Any


def section_of(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a section of keys and values."""
    section = data.get(name)
    return section if isinstance(section, Mapping) else {}


def entries(data: Mapping[str, Any], section: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the well-formed entries of a list and their positions."""
    listed = data.get(section)
    for i, entry in enumerate(listed if isinstance(listed, list | tuple) else ()):
        if isinstance(entry, dict):
            yield i, entry


def texts(value: object) -> list[str]:
    """Return the texts of a list or of the keys of a map, or the one that stands alone."""
    listed = value if isinstance(value, list | tuple | dict) else [value]
    return [text for text in listed if isinstance(text, str)]
