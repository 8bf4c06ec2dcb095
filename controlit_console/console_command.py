"""Show a running controller on a page for browsers, and steer it from there."""

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from controlit_console.console_error import ConsoleError
from controlit_console.gate import Gate, is_loopback, new_token
from controlit_ros.cli import output
from controlit_ros.cli.interruption import StopRequest
from controlit_ros.cli.options import TransportOption
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines

PORT = 8765
HOST = "127.0.0.1"
GATHER = 0.03  # [s] about a picture: what comes meanwhile is taken together
LACKING = "the console needs viser, which is not installed: pip install 'controlit[console]'"


def command(
    controller: Annotated[
        str | None,
        typer.Argument(
            metavar="CONTROLLER", help="Which one. [default: the only one]", show_default=False
        ),
    ] = None,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = PORT,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Others than the loopback need the token.")
    ] = HOST,
    control: Annotated[
        bool,
        typer.Option("--control", help="Let pages command where the address is not the loopback."),
    ] = False,
    token: Annotated[
        str, typer.Option(metavar="TEXT", help="Asked of every page.", show_default=False)
    ] = "",
    transport: TransportOption = None,
    parent: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Show a running controller on a page for browsers, and steer it from there."""
    secret = token or ("" if is_loopback(host) else new_token())
    with StopRequest() as stop, ExitStack() as opened:
        with StartProgress(StatusLines(sys.stdout), "loading the page", is_quiet=False):
            from controlit_ros.client.network import connect  # noqa: PLC0415 - takes long

            network = connect(transport)
            opened.callback(network.close)
            network.gather(GATHER)
            from controlit_console.search import Search  # noqa: PLC0415 - likewise

            search = Search(network, controller)
            try:
                from controlit_console.console import Console  # noqa: PLC0415 - likewise
                from controlit_console.gated_server import GatedServer  # noqa: PLC0415 - likewise
            except ModuleNotFoundError as error:
                if error.name in ("viser", "websockets"):
                    raise ConsoleError(LACKING) from None
                raise
            from controlit_console.bag import Bag  # noqa: PLC0415 - likewise
            from controlit_console.control_desk import ControlDesk  # noqa: PLC0415 - likewise

            server = GatedServer(host, port, Gate(secret))
            opened.callback(server.stop)
        is_read_only = not (control or is_loopback(host))
        desk = ControlDesk(time.monotonic, is_read_only=is_read_only)
        output.text(_address(host, server.get_port(), secret, is_read_only=is_read_only))
        stop.defer()
        bag = Bag(lambda: connect(transport), Path("bags"))
        Console(server, search, desk, bag).run(lambda: stop.is_set or _is_orphan(parent))


def _is_orphan(parent: int | None) -> bool:
    """Tell whether the process that this one was started beside is gone."""
    return parent is not None and os.getppid() != parent


def _address(host: str, port: int, token: str, *, is_read_only: bool) -> str:
    named = f"[{host}]" if ":" in host else host
    query = f"/?token={token}" if token else "/"
    remark = "  (to look at only; --control lets pages command)" if is_read_only else ""
    return f"http://{named}:{port}{query}{remark}"
