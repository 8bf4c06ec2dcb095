"""The servo's process: answers the calls of the front until it is gone."""

import logging
import logging.handlers
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, NamedTuple, NoReturn

from controlit_ros.errors import ControlItError
from controlit_ros.servo.real_time import name_process

NAME = "controlit-servo"  # at most 15 characters, for ps and top
REST_PERIOD = 0.1  # [s] between two looks at what piles up while the servo makes no cycles
FAILURE = 1

_log = logging.getLogger("controlit.servo")


class Call(NamedTuple):
    """What the front wants done.

    Attributes:
        number: Of the function.
        arguments: Its positional arguments.
        named: Its other arguments.
    """

    number: int
    arguments: tuple[Any, ...]
    named: dict[str, Any]


class Reply(NamedTuple):
    """What a call came to.

    Attributes:
        result: What the function returned.
        error: What it raised.
    """

    result: Any = None
    error: BaseException | None = None


class _EndedError(BaseException):
    """The process was told to end."""


_told_to_end = threading.Event()


class _Link(logging.handlers.QueueHandler):
    """Sends replies and the log of this process to the front."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(queue.SimpleQueue())  # unused: `enqueue` knows where to
        self.connection = connection
        self._sending = threading.Lock()

    def enqueue(self, record: logging.LogRecord) -> None:
        """Send a record, whose texts are made."""
        self.send(record)

    def send(self, entry: logging.LogRecord | Reply) -> None:
        """Send something, if there is still somebody to send it to."""
        with self._sending, suppress(OSError):
            self.connection.send(entry)


def serve(
    connection: Connection,
    functions: Sequence[Callable[..., Any]],
    begin: Callable[[], None],
    rest: Callable[[], None],
    end: Callable[[], None],
) -> NoReturn:
    """Answer calls until the front is gone or says good-bye, then end the process.

    Args:
        connection: To the front.
        functions: What may be called, by number.
        begin: Called first; what it raises counts for nothing.
        rest: Called now and then between calls.
        end: Ends the servo.
    """
    code = FAILURE
    try:
        link = _Link(connection)
        logging.getLogger().handlers[:] = [link]
        name_process(NAME)
        for number in (signal.SIGINT, signal.SIGHUP):  # they go to the front, which tells us
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _stop)
        sys.unraisablehook = _tell_unless_ended
        try:
            with suppress(EOFError, OSError, _EndedError):
                with suppress(Exception):
                    begin()
                _answer(link, functions, rest)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            end()
        code = 0
    except BaseException:  # noqa: BLE001 - nothing may return into the front's code
        _log.exception("the servo's process failed")
    finally:
        os._exit(code)


def _answer(link: _Link, functions: Sequence[Callable[..., Any]], rest: Callable[[], None]) -> None:
    connection = link.connection
    while True:
        while not connection.poll(REST_PERIOD):
            rest()
        call = connection.recv()
        if call is None:
            return
        reply = _reply(functions[call.number], call)
        if _told_to_end.is_set():  # and the order was swallowed by what it interrupted
            return
        link.send(reply)


def _reply(function: Callable[..., Any], call: Call) -> Reply:
    try:
        return Reply(function(*call.arguments, **call.named))
    except ControlItError as error:
        return Reply(error=ControlItError(str(error)))  # whatever its class takes to be made
    except Exception as error:  # noqa: BLE001 - plugins may raise anything
        if not _told_to_end.is_set():  # else the order to end broke something off half-done
            _log.exception("the servo failed")
        return Reply(error=RuntimeError(f"{type(error).__name__}: {error}"))


def _stop(_number: int, _frame: FrameType | None) -> None:
    _told_to_end.set()
    raise _EndedError


def _tell_unless_ended(what: "sys.UnraisableHookArgs") -> None:
    """Say nothing of the order to end in a place whose exceptions nobody can catch."""
    if what.exc_type is not _EndedError:
        sys.__unraisablehook__(what)
