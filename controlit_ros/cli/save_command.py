"""Save the running state of a controller as a configuration file."""

from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.new_files import ForceOption
from controlit_ros.cli.options import TransportOption


def command(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Where the controller writes it, on its own machine; printed when left out.",
            show_default=False,
        ),
    ] = None,
    *,
    force: ForceOption = False,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Save the running state of a controller as a configuration file."""
    target = "" if path is None else str(path.expanduser().absolute())
    answer = call("control/saveConfiguration", controller, transport, path=target, overwrite=force)
    if path is None:
        output.text(answer.configuration, end="")
    else:
        output.text(f"saved to {answer.path}")
