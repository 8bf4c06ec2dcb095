"""Log of what pages send that the server does not understand: a line each, not too often."""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from controlit_ros.errors import told

PERIOD = 1.0  # [s] between two lines

_log = logging.getLogger("controlit.console.pages")


class OneLine(logging.Filter):
    """Turns records of errors into one line without a traceback, and lets few of them pass.

    Args:
        clock: Returns the time [s].
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._next = 0.0
        self._held = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record; return whether it passes."""
        if record.levelno < logging.WARNING:
            return False  # connections that come and go
        now = self._clock()
        if now < self._next:
            self._held += 1
            return False
        error = record.exc_info[1] if record.exc_info else None
        text = record.getMessage() if error is None else f"{record.getMessage()}: {told(error)}"
        text = text.partition("\n")[0]
        held = f" ({self._held} more since the last line)" if self._held else ""
        record.msg, record.args = f"a page was not understood: {text}{held}", None
        record.exc_info = record.exc_text = record.stack_info = None
        self._next, self._held = now + PERIOD, 0
        return True


def page_log() -> logging.Logger:
    """Return the log for a server of pages."""
    if not any(isinstance(known, OneLine) for known in _log.filters):
        _log.addFilter(OneLine())
    return _log


def log_failed_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Let tasks of an event loop that fail unnoticed go to the same log."""

    def log(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        page_log().error(context["message"], exc_info=context.get("exception"))

    loop.set_exception_handler(log)
