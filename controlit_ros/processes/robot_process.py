"""RobotProcess: the simulated robot at the other end of a robot interface."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controlit_ros.processes.child_process import ChildProcess


class RobotProcess(ChildProcess):
    """Runs `controlit simulate` on a configuration file.

    It also ends by itself after `duration`, so that it never outlives its parent by much.

    Args:
        configuration: File whose robot is simulated.
        folder: Receives `simulator.log`.
        duration: When the child ends on its own [s].
        transport: Name of the transport, `None` for the child's choice.
        settings: Values that replace those of the file, by key; the robot interface among them.
    """

    def __init__(
        self,
        configuration: Path,
        folder: Path,
        *,
        duration: float,
        transport: str | None,
        settings: Mapping[str, Any],
    ) -> None:
        arguments = ["simulate", str(configuration), "--duration", f"{duration:g}"]
        if transport is not None:
            arguments += ["--transport", transport]
        log = folder / "simulator.log"
        super().__init__("simulator", arguments, log, settings=settings)
