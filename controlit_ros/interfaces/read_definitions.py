"""ReadDefinitions: what texts of types say, as they were read before, kept on disk."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeAlias

from rosbags.typesys import Stores, get_typestore

from controlit_ros.regular_file import MEBIBYTE, UnreadableFileError, read_text

from .definition import MessageDefinition, definitions, parse_message
from .field_type import Cardinality, FieldType
from .sourced_texts import PREFIXES

STANDARD = ""
"""Key of the types that rosbags knows, which have no text here."""

SOURCES = ("definition.py", "field_type.py", "read_definitions.py", "ros_texts.py")
"""Files beside this one that say how texts are read and kept."""

LIMIT = 8 * MEBIBYTE  # [bytes] of a file, forty times what there is
MOST_FILES = 8  # [#] of other environments or versions that are kept, too

_OF_ANOTHER_KIND = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What a file that holds something else leads to."""

_Read: TypeAlias = dict[str, list[MessageDefinition]]


def cached_definitions() -> Path | None:
    """Return the file of this version and this ROS 2 in the user's cache; none without a home."""
    with suppress(RuntimeError):
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "controlit"
        whole = sha256(f"{version('rosbags')} {os.environ.get(PREFIXES, '')}".encode())
        for name in SOURCES:
            whole.update(Path(__file__).with_name(name).read_bytes())
        return folder / f"types-{whole.hexdigest()[:16]}.json"
    return None


class ReadDefinitions:
    """Definitions of messages by the very text they were read from.

    To read those of ROS 2 and of this project takes a tenth of a start, and next to none ever
    changes: one whose text did is read, all others are found. A file that cannot be read or
    written, or holds something else, only costs that time.

    Args:
        path: Of the file, `None` for none.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._kept = {} if path is None else _load(path)
        self._used: _Read = {}

    def standard(self) -> list[MessageDefinition]:
        """Return the messages of ROS 2 Jazzy that rosbags knows."""
        return self._read(
            STANDARD,
            lambda: list(definitions(get_typestore(Stores.ROS2_JAZZY).fielddefs).values()),
        )

    def message(self, name: str, text: str) -> MessageDefinition:
        """Return what the text of a message says (see `parse_message`)."""
        return self._read(f"{name}\n{text}", lambda: [parse_message(name, text)])[0]

    def keep(self) -> None:
        """Write what was read, unless all of it is in the file."""
        if self._path is None or self._used.keys() <= self._kept.keys():
            return
        text = _dumped(self._used)
        with suppress(OSError):
            if _loaded(text) == self._used:  # what JSON does not hold is read each time
                _replace(self._path, text)

    def _read(
        self, key: str, read: Callable[[], list[MessageDefinition]]
    ) -> list[MessageDefinition]:
        found = self._used.get(key)
        if found is None:
            found = self._used[key] = self._kept.get(key) or read()
        return found


def _load(path: Path) -> _Read:
    with suppress(*_OF_ANOTHER_KIND, UnreadableFileError):
        return _loaded(read_text(path, LIMIT))
    return {}


def _loaded(text: str) -> _Read:
    content = json.loads(text)
    kinds = [
        FieldType(base, nested, Cardinality[cardinality], capacity, string_capacity)
        for base, nested, cardinality, capacity, string_capacity in content["kinds"]
    ]
    return {
        key: [
            MessageDefinition(
                name, {field: kinds[kind] for field, kind in fields.items()}, constants, defaults
            )
            for name, fields, constants, defaults in rows
        ]
        for key, rows in content["texts"].items()
    }


def _dumped(read: _Read) -> str:
    kinds: dict[FieldType, int] = {}
    texts = {
        key: [
            (
                found.name,
                {field: kinds.setdefault(kind, len(kinds)) for field, kind in found.fields.items()},
                dict(found.constants),
                dict(found.defaults),
            )
            for found in rows
        ]
        for key, rows in read.items()
    }
    written = [
        (kind.base, kind.nested, kind.cardinality.name, kind.capacity, kind.string_capacity)
        for kind in kinds
    ]
    return json.dumps({"kinds": written, "texts": texts})


def _replace(path: Path, text: str) -> None:
    """Write a file at once: others may read it meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.stem, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)
    others = sorted(path.parent.glob("types-*"), key=lambda other: other.stat().st_mtime)
    for other in others[:-MOST_FILES]:
        other.unlink(missing_ok=True)
