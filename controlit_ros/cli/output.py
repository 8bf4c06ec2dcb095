"""What commands print: plain text, tables, JSON and errors.

Results go to the standard output, everything about them to the standard error. A reader of the
standard output that closes it, as `head -1` does, ends the command quietly.
"""

import json
import math
import os
import select
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table

PIPE_WIDTH = 200  # [characters] of tables when there is no terminal to tell
_RED, _YELLOW, _RESET = "\033[1;31m", "\033[1;33m", "\033[0m"


class ReaderGoneError(Exception):
    """Whoever read the standard output has closed it."""


def text(line: str = "", *, end: str = "\n") -> None:
    """Print text to the standard output, at once.

    Raises:
        ReaderGoneError: Nobody reads it any more.
    """
    try:
        sys.stdout.write(line + end)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon()
        raise ReaderGoneError from None


def rendered(*renderables: RenderableType) -> None:
    """Print what rich renders; without colour unless the standard output is a terminal.

    Raises:
        ReaderGoneError: Nobody reads it any more.
    """
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(width=width, highlight=False, markup=False, emoji=False)
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    lines = capture.get().splitlines()
    text("\n".join(line.rstrip() for line in lines))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Return a plain table; a heading that ends with "[...]" stands over numbers."""
    result = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for heading in headings:
        is_number = heading.endswith("]")
        result.add_column(heading, justify="right" if is_number else "left", overflow="fold")
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
    """Flush the standard output; return whether its reader took everything."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon()
        return False
    return True


def _complain(message: str, colour: str) -> None:
    if colour and sys.stderr.isatty():
        message = f"{colour}{message}{_RESET}"
    with suppress(BrokenPipeError):
        sys.stderr.write(message + "\n")
        sys.stderr.flush()


def _abandon() -> None:
    """Let what is still in the buffer go nowhere, or the interpreter complains when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
