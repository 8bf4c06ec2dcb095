"""List, add, remove and switch constraints of a running controller."""

from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.entry_text import EntryArgument, add_entry
from controlit_ros.cli.options import JsonOption, TransportOption

app = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="CONSTRAINT", help="Name of the constraint.")]


@app.callback()
def group() -> None:
    """List, add, remove and switch the constraints of a running controller."""


@app.command("list")
def list_constraints(
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List constraints with type and state."""
    answer = call("diagnostics/getConstraintParameters", controller, transport)
    rows = list(zip(answer.constraints, answer.types, answer.states, strict=True))
    headings = ("name", "type", "state")
    if as_json:
        output.json_value([dict(zip(headings, row, strict=True)) for row in rows])
    else:
        output.rendered(output.table(("constraint", *headings[1:]), rows))


@app.command()
def add(
    file: EntryArgument,
    *,
    state: Annotated[str, typer.Option(metavar="STATE", help="enable or disable.")] = "enable",
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Add a constraint to the running controller; what it changes ramps in."""
    answer = add_entry("control/addConstraint", file, controller, transport, state=state)
    output.text(f"{answer.constraint} is added")


@app.command()
def remove(
    constraint: NameArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Remove a constraint from the running controller; what it changed ramps out."""
    call("control/removeConstraint", controller, transport, constraint=constraint)
    output.text(f"{constraint} is removed")


@app.command("set")
def set_state(
    constraint: NameArgument,
    state: Annotated[str, typer.Argument(metavar="STATE", help="enable or disable.")],
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Enable or disable a constraint, such as a contact."""
    call("control/setConstraintState", controller, transport, constraint=constraint, state=state)
    output.text(f"{constraint} is set to {state}")
