"""Problems of a configuration file, and the error that holds them all."""

from collections.abc import Iterable
from typing import NamedTuple

from controlit_ros.errors import ControlItError


class Problem(NamedTuple):
    """One mistake: where it is (counted from 1), in which entry, and what it is."""

    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        subject = f"{self.path}: " if self.path else ""
        return f"{self.line}:{self.column}: {subject}{self.message}"


class ConfigurationError(ControlItError):
    """A configuration cannot be used.

    Attributes:
        source: Name of the file.
        problems: Everything that is wrong with it, in the order of the file.
    """

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(sorted(dict.fromkeys(problems)))
        super().__init__("\n".join(f"{source}:{problem}" for problem in self.problems))
