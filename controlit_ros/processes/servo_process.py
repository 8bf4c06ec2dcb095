"""ServoProcess: a controller in a child process."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controlit_ros.errors import ControlItError
from controlit_ros.processes.child_process import ChildProcess


class ServoProcess(ChildProcess):
    """Runs `controlit run` on a configuration file.

    It also ends by itself after `duration`, so that it never outlives its parent by much.

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
        self._summary = folder / "servo_summary.json"
        arguments = ["run", str(configuration), "--quiet", "--duration", f"{duration:g}"]
        arguments += ["--summary", str(self._summary)]
        if transport is not None:
            arguments += ["--transport", transport]
        log = folder / "servo.log"
        super().__init__("servo", arguments, log, settings=settings, environment=environment)

    def summary(self) -> dict[str, Any] | None:
        """Return the child's latency summary, `None` if it left none."""
        try:
            content = json.loads(self._summary.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    def left_summary(self) -> dict[str, Any]:
        """Return the child's latency summary.

        Raises:
            ControlItError: It left none.
        """
        summary = self.summary()
        if summary is None:
            raise ControlItError(f"the servo left no summary:\n{self.log_tail()}")
        return summary
