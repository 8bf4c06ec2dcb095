"""Ending endless commands."""

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import FrameType, TracebackType
from typing import NoReturn

from controlit_ros.errors import ControlItError
from controlit_ros.signals import ENDING

POLL = 0.05  # [s] between two looks at a request: how soon a signal is obeyed
AGAIN = 0.01  # [s] until a signal that met the log is sent again


class StopRequest:
    """Takes SIGINT, SIGTERM, SIGHUP: at first as an interruption, later only as a request.

    A context manager. The block is left at a signal, without an error, until `defer` was called;
    from then on a signal only sets `is_set`, so that what runs can be ended in order. Some
    libraries make other errors of an interruption, which are taken for it. A signal that comes
    while something is written to the log interrupts just after that.

    Attributes:
        is_set: Whether a signal came.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._is_deferred = False
        self._has_interrupted = False
        self._previous: dict[signal.Signals, object] = {}
        self._again: Timer | None = None

    def defer(self) -> None:
        """From now on only remember signals."""
        self._is_deferred = True

    def obey(self) -> None:
        """Take a signal at once that met the log: what sends it again is a thread.

        Raises:
            KeyboardInterrupt: A signal came.
        """
        if self.is_set:
            self._interrupt()

    def __enter__(self) -> "StopRequest":  # noqa: PYI034 - typing.Self needs Python 3.11
        for number in ENDING:
            if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # as nohup wants it
            self._previous[number] = signal.signal(number, self._receive)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        self._forget()
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        return kind is KeyboardInterrupt or (self._has_interrupted and self._is_of_it(error))

    def _forget(self) -> None:
        """Send no signal again."""
        if self._again is not None:
            self._again.cancel()

    def _is_of_it(self, error: BaseException | None) -> bool:
        """Tell whether an error after an interruption comes from it, not from ending in order."""
        return isinstance(error, Exception) and not (
            self._is_deferred and isinstance(error, ControlItError)
        )

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.is_set = True
        if self._is_deferred:
            return
        if _is_logging(frame):
            self._forget()
            self._again = Timer(AGAIN, os.kill, (os.getpid(), number))
            self._again.daemon = True
            self._again.start()
            return
        self._interrupt()

    def _interrupt(self) -> NoReturn:
        self._forget()
        self._has_interrupted = True
        raise KeyboardInterrupt


def _is_logging(frame: FrameType | None) -> bool:
    """Tell whether a frame writes to the log: an error there may leave it locked to all threads."""
    while frame is not None:
        if frame.f_globals.get("__name__") == logging.__name__:
            return True
        frame = frame.f_back
    return False


@contextmanager
def interruptible() -> Iterator[None]:
    """Take SIGINT, SIGTERM and SIGHUP for the regular end of the block."""
    with StopRequest():
        yield
