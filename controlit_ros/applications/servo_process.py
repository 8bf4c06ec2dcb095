"""ServoProcess: a controller in a child process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from controlit_ros.applications.precedence import take_precedence
from controlit_ros.errors import ControlItError

STOP_TIMEOUT = 10.0  # [s] to end the simulator, write the summary and leave
LOG_TAIL = 12  # [lines] of the servo's log that go into an error message


class ServoProcessError(ControlItError):
    """The servo process ended on its own; the text holds the end of its log."""


class ServoProcess:
    """Runs `controlit run` on a configuration file; a context manager that ends it.

    The child leads a session of its own: Ctrl-C reaches only the parent, which then ends it in
    order. It also ends by itself after `duration`, so that it never outlives its parent by much.

    Args:
        configuration: File to run.
        folder: Receives `servo.log` and `servo_summary.json`.
        duration: When the child ends on its own [s].
        transport: Name of the transport, `None` for the child's choice.
        settings: Values that replace those of the file, by key.
        environment: Variables added to those of this process.
    """

    def __init__(
        self,
        configuration: Path,
        folder: Path,
        *,
        duration: float,
        transport: str | None = None,
        settings: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.log = folder / "servo.log"
        self._summary = folder / "servo_summary.json"
        self._command = [sys.executable, "-m", "controlit_ros.cli.main", "run", str(configuration)]
        self._command += ["--quiet", "--duration", f"{duration:g}", "--summary", str(self._summary)]
        if transport is not None:
            self._command += ["--transport", transport]
        for key, value in (settings or {}).items():
            self._command += ["--set", f"{key}={json.dumps(value)}"]
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the child."""
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
            )
        take_precedence(self._process.pid)  # for the simulator: it must keep up with real time

    @property
    def pid(self) -> int | None:
        """Process id, `None` before the start."""
        return None if self._process is None else self._process.pid

    def check(self) -> None:
        """Return if the child runs.

        Raises:
            ServoProcessError: It does not.
        """
        code = None if self._process is None else self._process.poll()
        if code is not None:
            how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
            raise ServoProcessError(f"the servo process ended with {how}:\n{self.log_tail()}")

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

    def summary(self) -> dict[str, Any] | None:
        """Return the child's latency summary, `None` if it left none."""
        try:
            content = json.loads(self._summary.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    def log_tail(self) -> str:
        """Return the last lines of the child's log."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-LOG_TAIL:])

    def __enter__(self) -> "ServoProcess":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
