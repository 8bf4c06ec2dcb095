"""ProblemCollector: reports all mistakes of a configuration at once."""

from types import TracebackType
from typing import final

from controlit_ros.configuration.location import KeyPath, Origin, format_path
from controlit_ros.configuration.problem import ConfigurationError, Problem


@final
class ProblemCollector:
    """Gathers problems and raises them together.

    As a context manager it raises at the end of the block, unless the block itself fails.

    Args:
        origin: Where the configuration comes from.
    """

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.problems: list[Problem] = []

    def add(self, path: KeyPath, message: str) -> None:
        """Note a problem with the entry at `path`."""
        if self.origin.is_overridden(path):
            message += " (set from outside the file)"
        location = self.origin.locate(path)
        self.problems.append(Problem(*location, format_path(path), message))

    def raise_if_any(self) -> None:
        """Raise what was noted.

        Raises:
            ConfigurationError: There are problems.
        """
        if self.problems:
            raise ConfigurationError(self.origin.source, self.problems)

    def __enter__(self) -> "ProblemCollector":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.raise_if_any()
