"""BegunApart: work that takes far longer the first time."""

from collections.abc import Callable
from functools import partial
from threading import Thread

from controlit_ros.running_thread import running_thread


class BegunApart:
    """Does something now and then, the first time in a thread of its own.

    What draws, for one, loads kernels then, or compiles them, which takes seconds on a new machine.
    Until that is over everything else is left out. What is done is never done by two at a time.

    Args:
        name: Of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: Thread | None = None
        self._error: Exception | None = None

    def __call__(self, act: Callable[[], None]) -> None:
        """Act, or leave it out; one thread only.

        Raises:
            Exception: What acting raised, now or the first time.
        """
        if self._thread is None:
            self._thread = running_thread(partial(self._begin, act), self._name)
        elif not self._thread.is_alive():
            error, self._error = self._error, None
            if error is not None:
                raise error
            act()

    def _begin(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised the next time
            self._error = error
