"""RunLog: the log of a running controller as its configuration wants it."""

import logging
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TextIO

from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.configuration import ControllerParameters

LEVELS = {
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
    "UNSET": logging.NOTSET,
}
NAMES = {logging.WARNING: "WARN", logging.CRITICAL: "FATAL"}
OWN_LOGGERS = ("controlit", "controlit_ros")
PLACES = {
    "pid": "[%(process)d]",
    "package": "%(name)s",
    "file": "%(filename)s",
    "line": "%(lineno)d",
    "function": "%(funcName)s()",
}
"""How each of `log_fields` is written, in the order of the line."""

COLOURS = {
    logging.DEBUG: "\033[2m",
    logging.WARNING: "\033[33m",
    logging.ERROR: "\033[31m",
    logging.CRITICAL: "\033[1;31m",
}
RESET = "\033[0m"


class RunLog(logging.Handler):
    """Writes the log to the standard error, coloured on a terminal, above the status line.

    Args:
        parameters: Their `log_level` and `log_fields` rule.
        status: Line to keep at the bottom.
        loggers: Least severe level by name of a logger, of those that have one of their own.
        stream: Where to write; the standard error if not given.
    """

    def __init__(
        self,
        parameters: ControllerParameters,
        status: StatusLines,
        loggers: Mapping[str, str] = MappingProxyType({}),
        stream: TextIO | None = None,
    ) -> None:
        super().__init__()
        self._status = status
        self._loggers = loggers
        self._stream = sys.stderr if stream is None else stream
        self._is_coloured = self._stream.isatty()
        self._level = LEVELS[parameters.log_level]
        fields = [place for field, place in PLACES.items() if field in parameters.log_fields]
        places = "".join(f" {field}" for field in fields).replace(
            "%(filename)s %(lineno)", "%(filename)s:%(lineno)"
        )
        self.setFormatter(
            logging.Formatter(
                f"%(asctime)s.%(msecs)03d %(levelname)-5s{places} %(message)s", "%H:%M:%S"
            )
        )

    def install(self) -> None:
        """Take over the log of this process; of other packages only warnings are shown."""
        for level, name in NAMES.items():
            logging.addLevelName(level, name)
        root = logging.getLogger()
        root.handlers[:] = [self]
        root.setLevel(max(self._level, logging.WARNING))
        for name in OWN_LOGGERS:
            logging.getLogger(name).setLevel(self._level)
        for name, level_name in self._loggers.items():
            logging.getLogger(name).setLevel(LEVELS[level_name])

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        # neither a device that is full nor a record that cannot be written may end a servo, and
        # where to complain there is no more
        with suppress(Exception):
            text = self.format(record)
            colour = COLOURS.get(record.levelno, "") if self._is_coloured else ""
            self._status.print_above(f"{colour}{text}{RESET}" if colour else text, self._stream)
