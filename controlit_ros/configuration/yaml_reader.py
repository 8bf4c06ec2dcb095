"""YAML texts as plain values that remember their lines."""

import re
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StreamMark, YAMLError
from ruamel.yaml.events import (
    Event,
    MappingEndEvent,
    MappingStartEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import ReaderError

from controlit_ros.configuration.location import KeyPath, Location, format_path
from controlit_ros.configuration.problem import Problem

MAX_LENGTH = 1 << 20  # [characters] a large robot written inline fits ten times
MAX_ENTRIES = 10_000  # [entries] aliases count each time they are used
MAX_DEPTH = 32  # [levels] task, parameter, joint map: nothing needs more than six

EVENTS_AN_ENTRY = 2  # most of the parser's: where a list begins and ends

_LONG_TAG = re.compile(r"(?<![^\s\[{,])!\S{256}")  # which costs the parser minutes
_BEGINNINGS = (MappingStartEvent, SequenceStartEvent)
_ENDS = (MappingEndEvent, SequenceEndEvent)
_TAG = "tag:yaml.org,2002:"
_SCALARS = {f"{_TAG}{name}" for name in ("null", "bool", "int", "float")}
_TEXTS = {f"{_TAG}{name}" for name in ("str", "timestamp", "value")}
_MERGE = f"{_TAG}merge"


class YamlDocument(NamedTuple):
    """A YAML text as mappings, lists and scalars, and where they stand."""

    data: Any
    locations: dict[KeyPath, Location]
    problems: list[Problem]


def read_yaml(text: str) -> YamlDocument:
    """Read one YAML document without running or building anything it asks for.

    Nothing is raised: what cannot be read is a problem of the document and stands in it as None.
    """
    excess = _excess(text)
    if excess is not None:
        return YamlDocument(None, {}, [excess])
    try:
        root = composed(text)
    except _ExcessError as error:
        return YamlDocument(None, {}, list(error.args))
    except MarkedYAMLError as error:
        return YamlDocument(None, {}, [_syntax_problem(error)])
    except ReaderError as error:  # a character that YAML forbids
        line = text.count("\n", 0, error.position) + 1
        column = error.position - (text.rfind("\n", 0, error.position) + 1) + 1
        message = f"found the control character {error.character!r}, expected text"
        return YamlDocument(None, {}, [Problem(line, column, "", message)])
    except (YAMLError, ValueError) as error:
        message = f"no YAML: {' '.join(str(error).split())}"
        return YamlDocument(None, {}, [Problem(1, 1, "", message)])
    builder = _TreeBuilder(YAML(typ="safe", pure=True))
    data = None if root is None else builder.build(root, ())
    return YamlDocument(data, builder.locations, builder.problems)


def composed(text: str) -> Node | None:
    """Return the nodes of a text, which nobody changes.

    Raises:
        YAMLError: It is none.
        _ExcessError: It goes too deep or too far.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.Parser = _BoundedParser
    root: Node | None = yaml.compose(text)
    return root


def _excess(text: str) -> Problem | None:
    """Tell what is too long in a text, before anything reads it."""
    if len(text) > MAX_LENGTH:
        message = f"found {len(text)} characters, expected at most {MAX_LENGTH}"
        return Problem(1, 1, "", message)
    tag = _LONG_TAG.search(text)
    if tag is None:
        return None
    line = text.count("\n", 0, tag.start()) + 1
    column = tag.start() - text.rfind("\n", 0, tag.start())
    return Problem(line, column, "", f"found the tag {tag[0][:20]}..., expected a plain value")


class _ExcessError(Exception):
    """A text goes too deep or too far; the argument is the problem."""


class _BoundedParser(Parser):
    """Reads no further than where a text goes too deep or too far.

    Composing such a text takes hours or all of the stack.
    """

    _depth = _count = 0

    def get_event(self) -> Event:
        event: Event = super().get_event()
        self._depth += isinstance(event, _BEGINNINGS) - isinstance(event, _ENDS)
        self._count += 1
        if self._depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
        elif self._count > EVENTS_AN_ENTRY * MAX_ENTRIES:
            message = f"more than {MAX_ENTRIES} entries"
        else:
            return event
        raise _ExcessError(Problem(*_location(event.start_mark), "", message))


class _TreeBuilder:
    def __init__(self, yaml: YAML) -> None:
        self.locations: dict[KeyPath, Location] = {}
        self.problems: list[Problem] = []
        self._constructor = yaml.constructor
        self._left = MAX_ENTRIES
        self._open: list[Node] = []

    def build(self, node: Node, path: KeyPath) -> Any:
        if not self._spend(node, path):
            return None
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if node.tag not in (f"{_TAG}map", f"{_TAG}seq"):
            self._add(node, path, f"found the tag {node.tag}, expected a plain value")
        elif self._enter(node, path):
            build = self._mapping if isinstance(node, MappingNode) else self._sequence
            values = build(node, path)
            self._open.pop()
            return values
        return None

    def _spend(self, node: Node, path: KeyPath) -> bool:
        self._left -= 1
        if self._left == 0:
            self._add(node, path, f"more than {MAX_ENTRIES} entries, counting each use of an alias")
        return self._left > 0

    def _enter(self, node: Node, path: KeyPath) -> bool:
        if any(node is outer for outer in self._open):
            self._add(node, path, "contains itself through an alias")
            return False
        if len(self._open) >= MAX_DEPTH:
            self._add(node, path, f"nested deeper than {MAX_DEPTH} levels")
            return False
        self._open.append(node)
        return True

    def _sequence(self, node: Node, path: KeyPath) -> list[Any]:
        values = []
        for i, entry in enumerate(node.value):
            inner: KeyPath = (*path, i)
            self.locations[inner] = _location(entry.start_mark)
            values.append(self.build(entry, inner))
        return values

    def _mapping(self, node: Node, path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        self._fill(values, node, path)
        return values

    def _fill(self, values: dict[str, Any], node: Node, path: KeyPath) -> None:
        """Add the keys of a mapping, then those it merges; keys that are there already win."""
        lines: dict[str, int] = {}
        merged: list[Node] = []
        for key_node, value_node in node.value:
            if not self._spend(key_node, path):
                return
            location = _location(key_node.start_mark)
            key = str(key_node.value)
            if key_node.tag == _MERGE:
                many = isinstance(value_node, SequenceNode)
                merged.extend(value_node.value if many else [value_node])
            elif not isinstance(key_node, ScalarNode):
                self._add(key_node, path, "found a list or mapping as key, expected a name")
            elif key in lines:
                message = f"the key {key!r} stands twice, first in line {lines[key]}"
                self._add(key_node, path, message)
            else:
                lines[key] = location.line
                if key not in values:
                    inner: KeyPath = (*path, key)
                    self.locations[inner] = location
                    values[key] = self.build(value_node, inner)
        for source in merged:
            self._merge(values, source, path)

    def _merge(self, values: dict[str, Any], source: Node, path: KeyPath) -> None:
        if not isinstance(source, MappingNode):
            self._add(source, path, "found no mapping, expected one to merge with <<")
        elif self._enter(source, path):
            self._fill(values, source, path)
            self._open.pop()

    def _scalar(self, node: ScalarNode, path: KeyPath) -> Any:
        if node.tag in _TEXTS:
            return str(node.value)
        if node.tag in _SCALARS:
            try:
                return self._constructor.construct_object(node)
            except (ValueError, KeyError, OverflowError, YAMLError):
                self._add(
                    node, path, f"found {node.value[:40]!r}, expected a value of type {node.tag}"
                )
                return None
        self._add(node, path, f"found the tag {node.tag}, expected a plain value")
        return None

    def _add(self, node: Node, path: KeyPath, message: str) -> None:
        location = _location(node.start_mark)
        self.problems.append(Problem(*location, format_path(path), message))


def _location(mark: StreamMark) -> Location:
    return Location(mark.line + 1, mark.column + 1)


def _syntax_problem(error: MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    message = " ".join(str(error.problem or error.context).split())
    if error.context and error.problem and error.context_mark:
        context = " ".join(str(error.context).split())
        message += f" ({context} that begins in line {error.context_mark.line + 1})"
    location = _location(mark) if mark else Location(1, 1)
    return Problem(*location, "", f"YAML syntax: {message}")
