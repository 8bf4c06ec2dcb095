"""TwoProcesses: the servo in a process forked off, away from everybody's interpreter lock."""

import gc
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from controlit_ros.errors import SERVO_PROCESS
from controlit_ros.nodes.process_layout import P, ProcessLayout, R, ServoGoneError
from controlit_ros.nodes.servo_side import Call, Reply, serve
from controlit_ros.robots.channel import remove_channels_of
from controlit_ros.running_thread import running_thread
from controlit_ros.signals import ENDING

END_PATIENCE = 5.0  # [s] to stop the servo and its simulator before it is killed
POLL = 0.002  # [s]
GONE = f"{SERVO_PROCESS} has ended"

_log = logging.getLogger("controlit.servo")


class TwoProcesses(ProcessLayout):
    """Forks the servo's process off, calls it through a pipe, and notices its end.

    Forking rather than starting another program: the controller is built once, what the servo
    offers needs no description that both sides agree on, and the shared memory has no name that
    could be left behind. Until `part` the process must have no other threads.
    """

    is_shared = True

    def __init__(self) -> None:
        self._functions: list[Callable[..., Any]] = []
        self._connection: Connection | None = None
        self._pid = 0
        self._calling = threading.Lock()
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._is_called = False
        self._is_interrupted = False
        self._is_closing = False
        self._failure = ""

    @property
    def failure(self) -> str:
        """How the servo's process ended before it was told to."""
        return self._failure

    def call(self, function: Callable[P, R], patience: float | None = None) -> Callable[P, R]:
        """Return a function that runs `function` in the servo's process."""
        index = len(self._functions)
        self._functions.append(function)

        @wraps(function)
        def call_there(*arguments: P.args, **named: P.kwargs) -> R:
            if self._connection is None:
                return function(*arguments, **named)
            result: R = self._call(Call(index, arguments, named), patience)
            return result

        return call_there

    def part(
        self, begin: Callable[[], None], rest: Callable[[], None], end: Callable[[], None]
    ) -> None:
        """Fork."""
        if threading.active_count() > 1:
            raise RuntimeError(f"cannot fork beside the threads {threading.enumerate()}")
        here, there = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        # what both processes have is not touched, so it is not copied; nor is it looked through for
        # garbage before, which takes a tenth of a start and finds next to nothing
        gc.freeze()
        with _signals_later():
            self._pid = os.fork()
            if self._pid:  # whoever is interrupted right after this gets answers, to end the servo
                gc.unfreeze()
                self._connection = here
                there.close()
                running_thread(self._receive, "servo link", here)
        if not self._pid:
            here.close()
            serve(there, self._functions, begin, rest, end)

    def close(self) -> None:
        """Tell the servo's process to end by closing the pipe, wait for it, or kill it."""
        self._is_closing = True
        if self._pid and self._connection is not None:
            with suppress(OSError):
                self._connection.send(None)
            if not self._is_called:  # it does nothing that must come to an end
                self._signal(signal.SIGTERM)
            if not self._reap(END_PATIENCE):
                text = f"{SERVO_PROCESS} did not end within {END_PATIENCE:g} s and was killed"
                _log.error(text)
                self._failure = self._failure or text
                self._signal(signal.SIGKILL)
                self._reap(END_PATIENCE)

    def _call(self, call: Call, patience: float | None) -> Any:
        with self._turn(patience):
            self._is_called = True
            if self._failure or self._is_interrupted or self._is_closing:
                raise ServoGoneError(self._failure or GONE)
            assert self._connection is not None
            try:
                self._connection.send(call)
                reply = self._replies.get(timeout=patience)
            except OSError:
                raise ServoGoneError(GONE) from None
            except queue.Empty:
                self._give_up(patience)
            except BaseException:
                # what it does now is not waited for, so it must not go on either
                self._is_interrupted = True
                self._signal(signal.SIGTERM)
                raise
        if reply.error is not None:
            raise reply.error
        return reply.result

    @contextmanager
    def _turn(self, patience: float | None) -> Iterator[None]:
        """Keep other calls out; another that is not answered is as hopeless as this one."""
        if not self._calling.acquire(timeout=-1 if patience is None else patience):
            self._give_up(patience)
        try:
            yield
        finally:
            self._calling.release()

    def _give_up(self, patience: float | None) -> NoReturn:
        """End a process that stands still."""
        self._failure = f"{SERVO_PROCESS} did not answer for {patience:g} s and was killed"
        self._signal(signal.SIGKILL)
        raise ServoGoneError(self._failure)

    def _receive(self, connection: Connection) -> None:
        with suppress(EOFError, OSError):
            while True:
                entry = connection.recv()
                if isinstance(entry, logging.LogRecord):
                    logging.getLogger(entry.name).handle(entry)
                else:
                    self._replies.put(entry)
        self._reap(END_PATIENCE)
        self._replies.put(Reply(error=ServoGoneError(self._failure or GONE)))

    def _reap(self, patience: float) -> bool:
        """Wait for the process to end; return whether it did."""
        deadline = time.monotonic() + patience
        while self._pid:
            try:
                pid, status = os.waitpid(self._pid, os.WNOHANG)
            except ChildProcessError:  # another thread was faster
                return True
            if pid:
                self._pid = 0
                remove_channels_of(pid)
                if not (self._failure or self._is_closing or self._is_interrupted):
                    code = os.waitstatus_to_exitcode(status)
                    self.has_ended_in_order = code == 0
                    self._failure = _how(code)
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL)
        return True

    def _signal(self, number: signal.Signals) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, number)


@contextmanager
def _signals_later() -> Iterator[None]:
    """Take signals after the block, in the process that forks.

    One that comes while it forks would be an exception in what Python does around a fork. Nobody
    sees it there, and locks, as that of logging, stay taken for ever.
    """
    taken: list[int] = []
    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if callable(handler)}
    for number in before:
        signal.signal(number, lambda number, _frame: taken.append(number))
    forking = os.getpid()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if os.getpid() == forking:
        for taken_number in taken:
            signal.raise_signal(taken_number)


def _how(code: int) -> str:
    if code < 0:
        return f"{SERVO_PROCESS} was ended by {signal.Signals(-code).name}"
    return f"{SERVO_PROCESS} ended with exit code {code}"
