"""Telling which part of a controller it was that failed, and where in its code."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from controlit_ros.constraints import Constraint
from controlit_ros.controllers import WholeBodyController
from controlit_ros.errors import ControlItError, told
from controlit_ros.inequalities import Inequality
from controlit_ros.servo import Behaviour
from controlit_ros.tasks import Task

LONGEST = 1000  # [characters] of what a third party's error says
OURS = __name__.partition(".")[0]


class _Kind(NamedTuple):
    """What a part is called, and where the file lists such parts."""

    part: type[Any]
    word: str
    section: str


KINDS = (
    _Kind(Task, "task", "tasks"),
    _Kind(Constraint, "constraint", "constraints"),
    _Kind(Inequality, "inequality", "inequalities"),
    _Kind(Behaviour, "behaviour", "behaviours"),
    _Kind(WholeBodyController, "whole-body controller", "whole_body_controllers"),
)


class RehearsalError(ControlItError):
    """A part fails when it is computed.

    Attributes:
        part: Its name; empty: it is not known which.
        section: Of the configuration file that lists such parts; empty likewise.
    """

    def __init__(self, part: Any, error: BaseException) -> None:
        kind = next((kind for kind in KINDS if isinstance(part, kind.part)), None)
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
    for frame, _ in traceback.walk_tb(error.__traceback__):
        found = by_identity.get(id(frame.f_locals.get("self")), found)
    return found


def code_place(error: BaseException) -> str:
    """Write in brackets which line of a third party's code led to an error; empty: there is none.

    What it called elsewhere, as in NumPy, is of no help. Our own errors say enough themselves.
    """
    steps = list(traceback.walk_tb(error.__traceback__))
    packages = [_package(frame) for frame, _ in steps]
    their = next((package for package in packages if package != OURS), OURS)
    if not steps or (their == OURS and isinstance(error, ControlItError)):
        return ""
    frame, line = [step for step, package in zip(steps, packages, strict=True) if package == their][
        -1
    ]
    code = frame.f_code
    return f" ({code.co_filename}:{line}, in {code.co_name})"


def _package(frame: FrameType) -> str:
    """Return the name of the package, or of the module outside of any, that a frame is of."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
