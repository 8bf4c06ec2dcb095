"""ChildProcess: a command of controlit in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from controlit_ros.errors import ControlItError
from controlit_ros.regular_file import opened_to_write
from controlit_ros.signals import PARENT

STOP_TIMEOUT = 10.0  # [s] to end what it started, write what it has to and leave
COMMANDS = ("-m", "controlit_ros.cli.main")
"""What Python runs in a child."""
LOG_TAIL = 12  # [lines] of the log that go into an error message


class ChildProcessEndedError(ControlItError):
    """The process ended on its own; the text holds the end of its log."""


class ChildProcess:
    """Runs a command of controlit; a context manager that ends it.

    The child leads a session of its own: Ctrl-C reaches only the parent, which then ends it in
    order. On Linux it also ends when the parent is killed; start it from the main thread then.

    Args:
        what: Which process it is, for messages.
        arguments: Command and options.
        log: File that receives what it prints.
        settings: Values that replace those of its configuration file, by key.
        environment: Variables added to those of this process.
    """

    def __init__(
        self,
        what: str,
        arguments: Sequence[str],
        log: Path,
        *,
        settings: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.log = log
        self._what = what
        self._command = [sys.executable, *COMMANDS, *arguments]
        for key, value in (settings or {}).items():
            self._command += ["--set", f"{key}={json.dumps(value)}"]
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the child."""
        environment = dict(self._environment)
        if threading.current_thread() is threading.main_thread():  # Linux watches the thread
            environment[PARENT] = str(os.getpid())
        with opened_to_write(self.log) as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )

    @property
    def pid(self) -> int | None:
        """Process id, `None` before the start."""
        return None if self._process is None else self._process.pid

    def check(self) -> None:
        """Return if the child runs.

        Raises:
            ChildProcessEndedError: It does not.
        """
        code = None if self._process is None else self._process.poll()
        if code is not None:
            how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
            raise ChildProcessEndedError(
                f"the {self._what} process ended with {how}:\n{self.log_tail()}"
            )

    def stop(self) -> None:
        """End the child as Ctrl-C would, by force if it does not react; idempotent."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                process.send_signal(number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(STOP_TIMEOUT)
                    return
        finally:  # also when Ctrl-C comes a second time
            process.kill()
            process.wait()

    def log_tail(self) -> str:
        """Return the last lines of the child's log."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-LOG_TAIL:])

    def __enter__(self) -> "ChildProcess":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
