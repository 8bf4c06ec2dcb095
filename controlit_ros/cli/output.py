"""What commands print: plain text, tables, JSON and errors.

Results go to the standard output, everything about them to the standard error. A reader of the
standard output that closes it, as `head -1` does, ends the command quietly.
"""

import errno
import json
import math
import os
import select
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from controlit_ros.errors import ControlItError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

PIPE_WIDTH = 200  # [characters] of tables when there is no terminal to tell
_RED, _YELLOW, _RESET = "\033[1;31m", "\033[1;33m", "\033[0m"


_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What a device says that takes no more."""
_FULL = _UNWRITABLE - {errno.EIO}


class ReaderGoneError(Exception):
    """Whoever read the standard output has closed it."""


class UnwritableOutputError(ControlItError):
    """The standard output takes no more: the disk is full."""


def text(line: str = "", *, end: str = "\n") -> None:
    """Print text to the standard output, at once.

    Raises:
        ReaderGoneError: Nobody reads it any more.
        UnwritableOutputError: It takes no more.
    """
    try:
        sys.stdout.write(line + end)
        sys.stdout.flush()
    except OSError as error:
        complaint = _complaint(error)
        _abandon()
        raise complaint from None


def rendered(*renderables: "RenderableType") -> None:
    """Print what rich renders; without colour unless the standard output is a terminal.

    Raises:
        ReaderGoneError: Nobody reads it any more.
    """
    from rich.console import Console  # noqa: PLC0415 - a controller starts without it

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(width=width, highlight=False, markup=False, emoji=False)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    lines = capture.get().splitlines()
    text("\n".join(line.rstrip() for line in lines))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> "Table":
    """Return a plain table; a heading that ends with "[...]" stands over numbers.

    Where a terminal is narrow the names in the first column stay whole.
    """
    from rich.table import Table  # noqa: PLC0415 - likewise

    result = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for i, heading in enumerate(headings):
        side: Literal["right", "left"] = "right" if heading.endswith("]") else "left"
        result.add_column(heading, justify=side, overflow="fold", no_wrap=i == 0)
    for row in rows:
        result.add_row(*row)
    return result


def json_value(value: Any, *, is_line: bool = False) -> None:
    """Print a value as JSON, indented or in one line; numbers that are not finite become null."""
    strict = finite(value)
    text(json.dumps(strict, allow_nan=False, indent=None if is_line else 2, ensure_ascii=False))


def finite(value: Any) -> Any:
    """Return plain values without NaN and infinity, which JSON does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    return value


def error(message: str) -> None:
    """Print an error to the standard error, red on a terminal."""
    _complain(message, _RED)


def warning(message: str) -> None:
    """Print a warning to the standard error, yellow on a terminal."""
    _complain(f"warning: {message}", _YELLOW)


def note(message: str) -> None:
    """Print something by the way to the standard error."""
    _complain(message, "")


def reader_is_gone() -> bool:
    """Whether the standard output is a pipe that nobody reads any more."""
    with suppress(OSError, ValueError, AttributeError):
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(events & select.POLLERR for _, events in poll.poll(0))
    return False


def flush() -> bool:
    """Flush the standard output; return whether its reader took everything.

    Raises:
        UnwritableOutputError: It takes no more.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        complaint = _complaint(error)
        _abandon()
        if isinstance(complaint, ControlItError):
            raise complaint from None
        return False
    return True


def first_line(error: Exception) -> str:
    """Return the kind of an error and the first line of what it says."""
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def refusal_of_the_machine(error: Exception) -> str | None:
    """Say what the machine has too little of; `None` if that is not what an error tells."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, RuntimeError):
        return f"{error}" if "can't start new thread" in str(error) else None
    if isinstance(error, OSError) and error.errno in (*_UNWRITABLE, errno.ENOMEM, errno.EMFILE):
        if error.filename is not None:
            return f"{error.filename}: {error.strerror}"
        if error.errno in _FULL and not _takes_no_more():
            return f"a file cannot be written: {error.strerror}"
        complaint = _complaint(error)
        _abandon()
        return str(complaint)
    return None


def _takes_no_more() -> bool:
    """Check whether the standard output may be a file on a full disk, or a device that is full."""
    with suppress(OSError, ValueError):
        descriptor = sys.stdout.fileno()
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISREG(kind):
            return os.fstatvfs(descriptor).f_bavail == 0
        return stat.S_ISCHR(kind) and not os.isatty(descriptor)
    return False


def _is_terminal() -> bool:
    """Tell whether results go, or went, to a terminal: one that was closed has errors left only."""
    with suppress(OSError, ValueError):
        return stat.S_ISCHR(os.fstat(sys.stdout.fileno()).st_mode)
    return False


def _complaint(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError) or (error.errno == errno.EIO and _is_terminal()):
        return ReaderGoneError()
    return UnwritableOutputError(f"the standard output cannot be written: {error.strerror}")


def _complain(message: str, colour: str) -> None:
    if colour and sys.stderr.isatty():
        message = f"{colour}{message}{_RESET}"
    with suppress(OSError, ValueError, AttributeError):  # nobody hears it
        sys.stderr.write(message + "\n")
        sys.stderr.flush()


def _abandon() -> None:
    """Let what is still in the buffer go nowhere, or the interpreter complains when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
