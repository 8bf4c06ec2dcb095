"""Look at the modes of a running controller, and ask for one."""

from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.options import JsonOption, TransportOption
from controlit_ros.client.remote_modes import GET_MODES, SET_MODE, told_picture
from controlit_ros.regular_file import write_text

app = typer.Typer()


@app.callback()
def group() -> None:
    """Look at the modes of a running controller, and ask for one."""


@app.command("list")
def list_modes(
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List modes, what they take, and which could be entered now."""
    told = call(GET_MODES, controller, transport)
    present = str(told.state.confirmed)
    rows = [
        {
            "name": str(mode.name),
            "present": str(mode.name) == present,
            "allowed": bool(option.allowed),
            "reason": str(option.reason),
            "commands": [str(name) for name in mode.commands],
            "description": str(mode.description),
        }
        for mode, option in zip(told.modes, told.options, strict=True)
    ]
    if as_json:
        output.json_value(rows)
        return
    cells = [
        (
            str(row["name"]),
            "present" if row["present"] else ("open" if row["allowed"] else "closed"),
            ", ".join(mode.commands) or "nothing",
            str(row["description"]),
        )
        for row, mode in zip(rows, told.modes, strict=True)
    ]
    output.rendered(output.table(("mode", "", "takes", "description"), cells))


@app.command()
def get(
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Print the mode that is, the one asked for, and why others cannot be entered now."""
    told = call(GET_MODES, controller, transport)
    state, closed = told.state, {str(o.name): str(o.reason) for o in told.options if not o.allowed}
    if as_json:
        output.json_value(
            {
                "confirmed": str(state.confirmed),
                "asked": str(state.asked),
                "outcome": str(state.outcome),
                "reason": str(state.reason),
                "commands": [str(name) for name in state.commands],
                "closed": closed,
            }
        )
        return
    output.text(str(state.confirmed))
    if str(state.asked) != str(state.confirmed):
        about = f": {state.reason}" if str(state.reason) else ""
        output.text(f"{state.asked} was asked for and is {state.outcome}{about}")
    for name, reason in closed.items():
        output.text(f"{name} is closed: {reason}")


@app.command("set")
def set_mode(
    mode: Annotated[str, typer.Argument(metavar="MODE", help="Name of the mode.")],
    *,
    controller: ControllerOption = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Do not wait until it is confirmed.")
    ] = False,
    transport: TransportOption = None,
) -> None:
    """Ask for a mode, and wait until it is confirmed."""
    answer = call(SET_MODE, controller, transport, mode=mode, wait=not no_wait)
    is_there = str(answer.confirmed) == mode
    output.text(f"{mode} is confirmed" if is_there else f"{mode} is asked for")


@app.command()
def picture(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to write; printed by default.")
    ] = None,
    *,
    dot: Annotated[
        bool, typer.Option("--dot", help="In the language of Graphviz instead of SVG.")
    ] = False,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Draw modes and transitions as SVG, the present mode coloured."""
    text = told_picture(call(GET_MODES, controller, transport), as_dot=dot)
    if file is None:
        output.text(text, end="")
        return
    write_text(file, text)
    output.text(f"{file} is written")
