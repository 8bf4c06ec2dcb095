"""The standard streams of a command, whatever it was started with."""

import io
import os
import sys

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def open_missing_streams() -> None:
    """Open standard streams that were closed before the program began, so that they lead nowhere.

    Otherwise the next file or socket that is opened takes their numbers, and what a library prints
    goes into it.
    """
    for number, (name, mode) in enumerate(_MODES.items()):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open
            setattr(sys, name, stream)


def replace_what_cannot_be_shown() -> None:
    """Let a terminal that knows fewer characters show what it can."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
