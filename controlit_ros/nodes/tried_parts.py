"""Errors of a warm-up, which name the part that raised."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from controlit_ros.errors import ControlItError, told
from controlit_ros.servo.failing_part import calls_of_error, code_place, kind_of

LONGEST = 1000  # [characters] of what a third party's error says


class RehearsalError(ControlItError):
    """A part fails when it is computed.

    Attributes:
        part: Its name; empty: it is not known which.
        section: Of the configuration file that lists such parts; empty likewise.
    """

    def __init__(self, part: Any, error: BaseException) -> None:
        kind = kind_of(part)
        self.part = "" if kind is None else part.name
        self.section = "" if kind is None else kind.section
        what = "a part" if kind is None else f"{kind.word} {part.name!r}"
        said = told(error)
        if len(said) > LONGEST:
            said = f"{said[: LONGEST - 3]}..."
        text = f"{what} failed when it was tried: {said}{code_place(error)}"
        super().__init__(text.encode("utf-8", "backslashreplace").decode())


@contextmanager
def trying(*parts: Any) -> Iterator[None]:
    """Say which part it is that raises something; a third party's may raise anything.

    Args:
        parts: Those that are computed.

    Raises:
        RehearsalError: One of them raised something, or wanted to leave the program.
        MemoryError: The machine has too little.
    """
    try:
        yield
    except MemoryError:
        raise
    except (Exception, GeneratorExit, SystemExit) as error:
        raise RehearsalError(_culprit(parts, error), error) from error


def _culprit(parts: tuple[Any, ...], error: BaseException) -> Any:
    """Return the part whose method was called last; `None`: nobody knows."""
    by_identity = {id(part): part for part in parts}
    found = parts[0] if len(parts) == 1 else None
    for frame, _ in calls_of_error(error):
        found = by_identity.get(id(frame.f_locals.get("self")), found)
    return found
