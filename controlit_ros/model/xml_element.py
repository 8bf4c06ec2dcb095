"""XmlElement: an element of an XML text that remembers its line."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from xml.parsers import expat

MAX_DEPTH = 64  # [levels] extensions of simulators are the deepest, with a dozen
MAX_ELEMENTS = 100_000  # the largest humanoids have some thousands


class XmlError(Exception):
    """A text is no XML that is read here.

    Attributes:
        line: Where that shows.
        reason: What was found and what was expected.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class XmlElement(NamedTuple):
    """An element, without its text.

    Attributes:
        tag: Its name.
        line: Where it begins, counted from 1.
        attributes: By name.
        children: In the order of the text.
    """

    tag: str
    line: int
    attributes: Mapping[str, str]
    children: list["XmlElement"]

    def all(self, tag: str) -> Iterator["XmlElement"]:
        """Yield the children of a name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> "XmlElement | None":
        """Return the first child of a name."""
        return next(self.all(tag), None)


def read_xml(text: str) -> XmlElement:
    """Read an XML text, which may neither define entities nor go deeper than anything needs.

    Raises:
        XmlError: It is something else.
    """
    reader = _Reader()
    try:
        return reader.read(text)
    except expat.ExpatError as error:
        raise XmlError(error.lineno, f"no XML: {expat.ErrorString(error.code)}") from None
    except UnicodeError:
        raise XmlError(1, "no XML: found half of a character") from None


class _Reader:
    def __init__(self) -> None:
        self._parser: Any = expat.ParserCreate()
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._refuse_entity
        self._root = XmlElement("", 0, {}, [])
        self._open = [self._root]
        self._count = 0

    def read(self, text: str) -> XmlElement:
        self._parser.Parse(text, True)
        return self._root.children[0]

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        if len(self._open) > MAX_DEPTH:
            raise XmlError(line, f"nested deeper than {MAX_DEPTH} levels")
        if self._count > MAX_ELEMENTS:
            raise XmlError(line, f"more than {MAX_ELEMENTS} elements")
        element = XmlElement(tag, line, attributes, [])
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _refuse_entity(self, name: str, *_rest: object) -> None:
        line = self._parser.CurrentLineNumber
        raise XmlError(line, f"found the entity {name!r}, expected a text that defines none")
