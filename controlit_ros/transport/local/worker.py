"""A thread that does what others hand it."""

import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, current_thread

from controlit_ros.running_thread import running_thread

logger = logging.getLogger(__name__)

JOIN_TIMEOUT = 1.0
"""How long closing waits for an action that does not return [s]."""

LOOK = 0.1
"""Time between two looks whether the thread has ended meanwhile [s]."""


class Worker:
    """Calls actions one after the other, in the order they were submitted."""

    def __init__(self, name: str) -> None:
        self._actions: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._changed = Condition()
        self._undone = 0  # guarded by it
        self._thread = running_thread(self._run, name)

    def submit(self, action: Callable[[], None]) -> None:
        """Have the thread call `action`."""
        with self._changed:
            self._undone += 1
        self._actions.put(action)

    def settle(self) -> None:
        """Wait until everything submitted so far is done, and what that submitted here.

        Costs next to nothing where there is nothing: no thread is woken.
        """
        with self._changed:
            while self._undone and self._thread.is_alive():
                self._changed.wait(LOOK)

    def close(self) -> None:
        """End the thread after what was submitted before."""
        self._actions.put(None)
        if self._thread is not current_thread():
            self._thread.join(JOIN_TIMEOUT)

    def _run(self) -> None:
        while (action := self._actions.get()) is not None:
            _call(action)
            with self._changed:
                self._undone -= 1
                if not self._undone:
                    self._changed.notify_all()


def _call(action: Callable[[], None]) -> None:
    try:
        action()
    except Exception:
        logger.exception("an action failed")
