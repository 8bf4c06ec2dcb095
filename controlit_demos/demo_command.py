"""Run a demonstration."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controlit_demos.registry import demo_class, demonstrations
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.cli import output
from controlit_ros.cli.options import (
    ConsoleOption,
    JsonOption,
    TransportOption,
    interface_type,
)
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines

DEFAULT = "hands"


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one.")] = DEFAULT,
    *,
    list_only: Annotated[bool, typer.Option("--list", help="List demonstrations.")] = False,
    duration: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="S",
            help="End after so long [s]. [default: its own]",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where plots and numbers go.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of everything random.")] = 0,
    runs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Run so often, each time with the next seed.")
    ] = 1,
    fast: Annotated[
        bool,
        typer.Option(
            "--fast", help="In simulated time, within this process, as fast as it computes."
        ),
    ] = False,
    interface: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            help="Join servo and simulator by shared_memory, udp or topic. [default: mujoco, which "
            "starts its own]",
            show_default=False,
        ),
    ] = None,
    console: ConsoleOption = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Run a demonstration."""
    if list_only:
        demos = demonstrations()
        if as_json:
            output.json_value(demos)
        else:
            output.rendered(output.table(("name", "description"), list(demos.items())))
        return
    if console and fast:
        raise typer.BadParameter("--fast leaves nothing that a page could look at")
    if console and transport == "local":
        raise typer.BadParameter("the transport local reaches no page, which is another process")
    options = DemoOptions(
        transport=transport,
        duration=duration,
        folder=report,
        seed=seed,
        runs=runs,
        simulated_time=fast,
        interface=None if interface is None else interface_type(interface),
        screen=console,
    )
    with StartProgress(StatusLines(sys.stdout), f"loading {name}", is_quiet=False):
        demo = demo_class(name)(options)
    raise typer.Exit(demo.run())
