"""StatusLines: lines at the bottom of a terminal that are drawn again and again."""

import errno
import os
import shutil
from threading import Lock
from typing import TextIO

CLEAR = "\r\033[K"
UP = "\033[A"


class StatusLines:
    """Draws some lines, and takes them away while something else is printed.

    Plain text and two escape sequences: laying out a rich display four times a second would take
    the interpreter from the servo for milliseconds.

    Args:
        stream: Where to draw; nothing is drawn unless somebody sits at it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: list[str] = []
        self._lock = Lock()
        self.is_live = _is_sat_at(stream)

    def draw(self, *lines: str) -> None:
        """Replace the lines."""
        with self._lock:
            self._hide()
            self._lines = list(lines)
            self._show()

    def clear(self) -> None:
        """Take the lines away."""
        with self._lock:
            self._hide()
            self._lines = []

    def print_above(self, text: str, stream: TextIO) -> None:
        """Print a line of text to a stream that may be the same terminal."""
        with self._lock:
            self._hide()
            stream.write(f"{text}\n")
            stream.flush()
            self._show()

    def _hide(self) -> None:
        if self.is_live and self._lines:
            self._write(CLEAR + (UP + CLEAR) * (len(self._lines) - 1))

    def _show(self) -> None:
        if self.is_live and self._lines:
            width = shutil.get_terminal_size().columns - 1  # a full line would wrap
            self._write("\n".join(line[:width] for line in self._lines))

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone, the servo is not
            self.is_live = False


def _is_sat_at(stream: TextIO) -> bool:
    """Tell whether a stream is the terminal that this process was started from.

    `ros2 launch` gives a node a pseudo terminal (`emulate_tty`) and copies what comes out of it
    line by line.
    """
    if not stream.isatty():
        return False
    try:
        os.tcgetpgrp(stream.fileno())
    except OSError as error:
        return error.errno != errno.ENOTTY
    except AttributeError:  # Windows has no such terminals
        return True
    return True
