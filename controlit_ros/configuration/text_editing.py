"""Changing values in the text of a configuration file, which otherwise stays as it is."""

from collections.abc import Callable, Collection, Iterator, Mapping
from io import StringIO
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.util import load_yaml_guess_indent

from controlit_ros.configuration.sections import ENTRY_NAMES
from controlit_ros.errors import ControlItError

WIDTH = 100  # [characters] longer lines are broken, unless the text has such
PASSES = 5  # a changed entry may change others that take values over from it by `<<`

TOP = ""
"""Name of what stands at the top of the file, in no section."""


class Setting(NamedTuple):
    """What a key of the text shall say.

    Attributes:
        value: Plain value.
        is_same: Tells whether what the text says means the same, so that it can stay.
        is_needed: Whether to add the key where the text leaves it out.
    """

    value: Any
    is_same: Callable[[Any], bool]
    is_needed: bool = True


Settings = Mapping[str, Setting]


class TextEditingError(ControlItError):
    """The text cannot be made to say what it shall."""


def edit_text(
    text: str,
    sections: Mapping[str, Settings],
    entries: Mapping[str, Mapping[str, Settings]],
) -> str:
    """Return the text of a configuration with other values; comments, order and aliases stay.

    Args:
        text: A configuration that can be loaded.
        sections: Settings by section, `TOP` for keys at the top of the file.
        entries: Settings by section and by the name of an entry of its list.

    Raises:
        TextEditingError: The text is too entangled.
    """
    for _ in range(PASSES):
        data, indent, offset = load_yaml_guess_indent(text)
        if not _change(data, sections, entries):
            return text
        text = _dump(data, 2 if indent is None else indent, offset or 0, _width(text))
    raise TextEditingError("found entries that take values over from each other in a circle")


def without_entries(text: str, kept: Mapping[str, Collection[str]]) -> str:
    """Return the text of a configuration without some entries; what stays is as it was.

    Args:
        text: A configuration that can be loaded.
        kept: By section the names of the entries that stay; other sections stay as they are.
    """
    data, indent, offset = load_yaml_guess_indent(text)
    changed = False
    for section, names in kept.items():
        listed = data.get(section) or CommentedSeq()
        for i in reversed(range(len(listed))):
            if listed[i].get(ENTRY_NAMES[section]) not in names:
                del listed[i]
                changed = True
    if not changed:
        return text
    return _dump(data, 2 if indent is None else indent, offset or 0, _width(text))


def _change(
    data: CommentedMap,
    sections: Mapping[str, Settings],
    entries: Mapping[str, Mapping[str, Settings]],
) -> bool:
    """Change what differs and return whether anything did."""
    changed = False
    for section, settings in sections.items():
        holder = data if section == TOP else data.get(section)
        wanted = dict(_missing(holder or {}, settings))
        if wanted and holder is None:  # no such section, or nothing but comments in it
            holder = data[section] = CommentedMap()
        changed |= _set(holder, wanted)
    for section, named in entries.items():
        listed = data.get(section) or CommentedSeq()
        called = ENTRY_NAMES[section]
        known = {entry.get(called): entry for entry in listed if isinstance(entry, dict)}
        for name, settings in named.items():
            if name in known:
                changed |= _set(known[name], dict(_missing(known[name], settings)))
            elif needed := dict(_missing({}, settings)):
                listed.append(_styled({called: name, **needed}))
                data[section] = listed
                changed = True
    return changed


def _missing(holder: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, Any]]:
    for key, setting in settings.items():
        if key in holder:
            if not setting.is_same(holder[key]):
                yield key, setting.value
        elif setting.is_needed:
            yield key, setting.value


def _set(holder: Any, values: Mapping[str, Any]) -> bool:
    for key, value in values.items():
        holder[key] = _styled(value)
    return bool(values)


def _styled(value: Any) -> Any:
    """Return a value as people write it: lists in one line, maps in one line for each key."""
    if isinstance(value, Mapping):
        return CommentedMap({key: _styled(entry) for key, entry in value.items()})
    if isinstance(value, list | tuple):
        listed = CommentedSeq([_styled(entry) for entry in value])
        listed.fa.set_flow_style()
        return listed
    return value


def _width(text: str) -> int:
    """Return how long lines may be, so that none of a text is broken [characters]."""
    lines = (line.partition("#")[0].rstrip() for line in text.splitlines())
    return max(WIDTH, *map(len, lines), 0)


def _dump(data: CommentedMap, indent: int, offset: int, width: int) -> str:
    yaml = YAML()
    yaml.indent(mapping=2, sequence=indent, offset=offset)
    yaml.width = width
    yaml.preserve_quotes = True
    stream = StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()
