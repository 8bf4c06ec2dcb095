"""Run a controller until Ctrl-C."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli.interruption import StopRequest
from controlit_ros.cli.log_levels import known_level
from controlit_ros.cli.options import (
    ConsoleOption,
    DurationOption,
    FileArgument,
    SetOption,
    TransportOption,
    overrides,
)
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.ros_arguments import RosArguments


class StartState(str, Enum):
    """How far a controller goes before somebody asks it to go on."""

    UNCONFIGURED = "unconfigured"
    INACTIVE = "inactive"
    ACTIVE = "active"


def command(
    context: typer.Context,
    file: FileArgument,
    *,
    duration: DurationOption = None,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="In simulated time, as fast as it computes (MuJoCo)."),
    ] = False,
    settings: SetOption = None,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the statistics as JSON.", show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Neither status nor table.")] = False,
    lifecycle: Annotated[
        StartState,
        typer.Option(metavar="STATE", help="Go so far by itself: unconfigured, inactive, active."),
    ] = StartState.ACTIVE,
    log_level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="Least severe level of the log: debug, info, warn, error, fatal.",
            show_default=False,
        ),
    ] = None,
    console: ConsoleOption = False,
    transport: TransportOption = None,
) -> None:
    """Run a controller until Ctrl-C."""
    if console and fast:
        raise typer.BadParameter("--fast leaves nothing that a page could look at")
    lines = StatusLines(sys.stdout)
    with (
        StopRequest() as stop,
        StartProgress(lines, f"loading {file}", is_quiet=quiet) as progress,
    ):
        # NumPy, numba and Pinocchio take half a second
        from controlit_ros.cli.controller_run import (  # noqa: PLC0415 - see above
            ControllerRun,
            RunOptions,
        )

        options = RunOptions(
            file=file,
            overrides=overrides(settings) | _logged(log_level),
            duration=duration,
            fast=fast,
            summary=summary,
            quiet=quiet,
            goal=lifecycle.value,
            console=console,
            transport=transport,
            ros=context.ensure_object(RosArguments),
        )
        ControllerRun(options, lines, progress, stop).go()


def _logged(level: str | None) -> dict[str, str]:
    return {} if level is None else {"log_level": known_level(level, "--log-level")}
