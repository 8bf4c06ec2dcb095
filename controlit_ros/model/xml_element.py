"""XmlElement: an element of an XML text that remembers its line."""

import xml.etree.ElementTree as ET
from typing import Any
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


class XmlElement(ET.Element):
    """An element of a text.

    Attributes:
        line: Where it begins, counted from 1.
    """

    line = 1


def line_of(element: ET.Element) -> int:
    """Return the line in which an element begins, counted from 1."""
    return element.line if isinstance(element, XmlElement) else 1


def read_xml(text: str) -> ET.Element:
    """Read an XML text, which may neither define entities nor go deeper than anything needs.

    Names keep their prefixes; namespaces are not resolved, as in the libraries that read URDF and
    MJCF.

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
        self._builder = ET.TreeBuilder(element_factory=XmlElement)
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._builder.data
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.buffer_text = True
        self._depth = self._count = 0

    def read(self, text: str) -> ET.Element:
        self._parser.Parse(text, True)
        return self._builder.close()

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise XmlError(line, f"nested deeper than {MAX_DEPTH} levels")
        if self._count > MAX_ELEMENTS:
            raise XmlError(line, f"more than {MAX_ELEMENTS} elements")
        element: Any = self._builder.start(tag, attributes)
        element.line = line

    def _end(self, tag: str) -> None:
        self._builder.end(tag)
        self._depth -= 1

    def _refuse_entity(self, name: str, *_rest: object) -> None:
        line = self._parser.CurrentLineNumber
        raise XmlError(line, f"found the entity {name!r}, expected a text that defines none")
