"""StartProgress: what a command that takes seconds to start is doing."""

import threading
import time

from controlit_ros.cli import output
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.running_thread import running_thread

PERIOD = 0.25  # [s] between two pictures of the seconds


class StartProgress:
    """Shows on a terminal what is done and for how long; a context manager.

    Args:
        lines: Where to draw; elsewhere than on a terminal the log is enough.
        first: What is done first.
        is_quiet: Whether to show nothing.
    """

    def __init__(self, lines: StatusLines, first: str, *, is_quiet: bool) -> None:
        self._lines = lines
        self._step = first
        self._began = time.monotonic()
        self._is_shown = lines.is_live and not is_quiet
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def tell(self, text: str) -> None:
        """Say why this step takes longer, on whatever stands at the other end."""
        if self._is_shown:
            self._step = text
        else:
            output.note(text)

    def step(self, text: str) -> None:
        """Go on to the next step, after `end`, too."""
        self._step = text
        if self._is_shown and self._thread is None:
            self._stop.clear()
            self._thread = running_thread(self._run, "progress")

    def end(self) -> None:
        """Take the line away and end the thread that draws it, as before a fork; idempotent."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            thread.join()
            self._lines.clear()

    def __enter__(self) -> "StartProgress":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.step(self._step)
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def _run(self) -> None:
        while not self._stop.wait(PERIOD):  # what is soon over flashes no line
            self._lines.draw(f"{self._step} ... {time.monotonic() - self._began:.0f} s")
