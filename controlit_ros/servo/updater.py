"""Updater: a child thread that computes for the servo without ever making it wait."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from controlit_ros.errors import ControlItError
from controlit_ros.running_thread import running_thread
from controlit_ros.servo.failing_part import describe_failure, describe_thread

UPDATE_ERRORS = (Exception, SystemExit)
"""What a plugin may raise in an updater thread: also a wish to leave the program."""

STOP_PATIENCE = 2.0  # [s] for the request under way to come to its end


class UpdaterError(ControlItError):
    """An update failed; the text names the model or task and the cause."""


class Updater(ABC):
    """Base of the child threads (paper section 4.3, figure 10).

    The work of one request is a sequence of steps, so that a test can interleave the steps of
    several updaters with those of the servo in every order. The thread sleeps on a lock used as a
    binary semaphore: waking it never blocks the servo.

    Args:
        name: Name of the thread.

    Attributes:
        failure: The error that ended the last request, or `None`; the servo reads and clears it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.failure: UpdaterError | None = None
        self._wake_is_due = False
        self._wake = threading.Lock()
        self._wake.acquire()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread; idempotent. A request that came before is served first."""
        if self._thread is not None:
            return
        self._stopping = False
        self._thread = running_thread(self._run, self.name)

    def stop(self) -> None:
        """Finish the request under way and end the thread; idempotent.

        Raises:
            UpdaterError: The request does not come to an end.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping = True
        self.wake()
        thread.join(STOP_PATIENCE)
        if thread.is_alive():
            raise UpdaterError(
                f"the thread {self.name} has not come to the end of its update within "
                f"{STOP_PATIENCE:g} s"
            )

    def wake_if_due(self) -> None:
        """Wake the thread if a request was made since the last call; servo thread.

        Called at the end of a cycle: the thread then computes while the servo sleeps, instead of
        fighting it for the interpreter. What it computes is looked at in the next cycle anyway.
        """
        if self._wake_is_due:
            self._wake_is_due = False
            self.wake()

    def wake(self) -> None:
        """Let the thread serve a request; never blocks."""
        if self._wake.locked():
            with suppress(RuntimeError):  # stop() released it meanwhile
                self._wake.release()

    def describe_call(self) -> str:
        """Return the part, and the line of its code, that the thread is in; empty: in none."""
        return describe_thread(None if self._thread is None else self._thread.ident)

    @abstractmethod
    def steps(self) -> Iterator[None]:
        """Serve one request, yielding between steps; updater thread."""

    @abstractmethod
    def give_up(self) -> None:
        """Come to rest after a request that broke off; updater thread."""

    def _run(self) -> None:
        np.seterr(all="ignore")  # a warning on the console helps nobody; the servo checks
        while not self._stopping:
            self._wake.acquire()
            # also when stopping: a request left over would never be served after the next start
            try:
                for _ in self.steps():
                    pass
            except BaseException as error:  # noqa: BLE001 - a plugin may even want to leave
                self.failure = UpdaterError(describe_failure(error, f"{self.name} broke off"))
                self.give_up()
