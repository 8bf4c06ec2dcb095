"""StatusLine: one line at the bottom of a terminal that is drawn again and again."""

import shutil
from threading import Lock
from typing import TextIO

CLEAR = "\r\033[K"


class StatusLine:
    """Draws a line, and takes it away while something else is printed.

    Plain text and two escape sequences: laying out a rich display four times a second would take
    the interpreter from the servo for milliseconds.

    Args:
        stream: Where to draw; nothing is drawn unless it is a terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""
        self._lock = Lock()
        self.is_live = stream.isatty()

    def draw(self, text: str) -> None:
        """Replace the line."""
        with self._lock:
            self._text = text
            self._show()

    def clear(self) -> None:
        """Take the line away."""
        with self._lock:
            self._hide()
            self._text = ""

    def print_above(self, text: str, stream: TextIO) -> None:
        """Print a line of text to a stream that may be the same terminal."""
        with self._lock:
            self._hide()
            stream.write(f"{text}\n")
            stream.flush()
            self._show()

    def _hide(self) -> None:
        if self.is_live and self._text:
            self._stream.write(CLEAR)
            self._stream.flush()

    def _show(self) -> None:
        if self.is_live and self._text:
            width = shutil.get_terminal_size().columns - 1  # a full line would wrap
            self._stream.write(CLEAR + self._text[:width])
            self._stream.flush()
