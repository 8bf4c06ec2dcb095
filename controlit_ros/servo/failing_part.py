"""The part of a controller, and the line of its code, that an error or a blocked thread is in."""

import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

from controlit_ros.constraints import Constraint
from controlit_ros.controllers import WholeBodyController
from controlit_ros.errors import ControlItError, told
from controlit_ros.inequalities import Inequality
from controlit_ros.servo.behaviour import Behaviour
from controlit_ros.tasks import Task

OURS = __name__.partition(".")[0]

Calls: TypeAlias = Sequence[tuple[FrameType, int]]
"""Frames of nested calls, the outermost first, each with the number of its line."""


class FailingKind(NamedTuple):
    """A kind of part, its name in messages, and the section of the file that lists such parts."""

    part: type[Any]
    word: str
    section: str


KINDS = (
    FailingKind(Task, "task", "tasks"),
    FailingKind(Constraint, "constraint", "constraints"),
    FailingKind(Inequality, "inequality", "inequalities"),
    FailingKind(Behaviour, "behaviour", "behaviours"),
    FailingKind(WholeBodyController, "whole-body controller", "whole_body_controllers"),
)


def kind_of(part: Any) -> FailingKind | None:
    """Return the kind of a part; `None`: it is no part of a controller."""
    return next((kind for kind in KINDS if isinstance(part, kind.part)), None)


def calls_of_error(error: BaseException) -> Calls:
    """Return the calls that an error left, from where it was caught to where it was raised."""
    return list(traceback.walk_tb(error.__traceback__))


def calls_of_thread(thread: int | None) -> Calls:
    """Return the calls that a thread of this process is in; none: it has ended.

    Args:
        thread: Its `ident`.
    """
    frame = None if thread is None else sys._current_frames().get(thread)  # noqa: SLF001 - documented
    return list(traceback.walk_stack(frame))[::-1] if frame is not None else []


def describe_failure(error: BaseException, event: str) -> str:
    """Return a message that names the part, and the line of its code, that raised an error.

    Args:
        error: As it was caught. Its traceback is cleared: one that is raised again and again would
            keep the frames of all its past.
        event: What happened, "computing the command failed" for example.
    """
    part = _innermost_part(calls_of_error(error))[0]
    within = f" in {part}" if part and part not in event else ""
    text = f"{event}{within}: {told(error)}{code_place(error)}"
    error.__traceback__ = None
    return text


def describe_thread(thread: int | None) -> str:
    """Return the part, and the line of its code, that a thread is in; empty: it is in none."""
    calls = calls_of_thread(thread)
    part, first = _innermost_part(calls)
    return f"{part}{_place(calls[first:])}" if part else ""


def code_place(error: BaseException) -> str:
    """Return, in brackets, the line of third-party code that led to an error; empty: none did.

    A library that this code calls, as NumPy, is not meant. Our own errors explain themselves.
    """
    calls = calls_of_error(error)
    is_third_party = any(_package(frame) != OURS for frame, _ in calls)
    if not is_third_party and isinstance(error, ControlItError):
        return ""
    return _place(calls)


def _place(calls: Calls) -> str:
    packages = [_package(frame) for frame, _ in calls]
    package = next((package for package in packages if package != OURS), OURS)
    of_package = [call for call, name in zip(calls, packages, strict=True) if name == package]
    if not of_package:
        return ""
    frame, line = of_package[-1]
    return f" ({frame.f_code.co_filename}:{line}, in {frame.f_code.co_name})"


def _innermost_part(calls: Calls) -> tuple[str, int]:
    """Return the part whose method was called last, and the number of that call."""
    for i in reversed(range(len(calls))):
        part = calls[i][0].f_locals.get("self")
        kind = kind_of(part)
        if kind is not None:
            name = getattr(part, "name", type(part).__name__)
            return f"{kind.word} {name!r}", i
    return "", len(calls)


def _package(frame: FrameType) -> str:
    """Return the package of a frame's code, or its module outside of any package."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
