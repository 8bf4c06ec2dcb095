"""List, read and set parameters of a running controller."""

from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption
from controlit_ros.cli.options import NUMBERS, JsonOption, TransportOption
from controlit_ros.cli.plain_values import read_value, rounded, write_flow
from controlit_ros.cli.remote_parameters import RemoteParameters
from controlit_ros.client.network import connect
from controlit_ros.client.parameter_values import VALUE_TYPES

app = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Owner.parameter.")]


@app.command("list")
def list_parameters(
    owner: Annotated[
        str | None,
        typer.Argument(metavar="OWNER", help="Only of this task, constraint or event."),
    ] = None,
    *,
    long: Annotated[
        bool, typer.Option("--long", "-l", help="Show types, values and descriptions.")
    ] = False,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List parameters."""
    with connect(transport) as network:
        parameters = RemoteParameters(network, controller)
        names = parameters.names()
        if owner is not None:
            names = [name for name in names if name.startswith(f"{owner}.")]
        if not (long or as_json):
            for name in names:
                output.text(name)
            return
        descriptors = parameters.describe(names)
        values = parameters.values(names)
    rows = [
        {
            "name": descriptor.name,
            "type": VALUE_TYPES[descriptor.type].name,
            "value": value,
            "expected": descriptor.additional_constraints,
            "read_only": bool(descriptor.read_only),
            "description": descriptor.description,
        }
        for descriptor, value in zip(descriptors, values, strict=True)
    ]
    if as_json:
        output.json_value(rows)
        return
    headings = ("name", "type", "", "value", "description")
    cells = [
        (
            row["name"],
            row["type"],
            "read-only" if row["read_only"] else "",
            write_flow(rounded(row["value"])),
            row["description"],
        )
        for row in rows
    ]
    output.rendered(output.table(headings, cells))


@app.command()
def get(
    name: NameArgument,
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Print the value of a parameter."""
    with connect(transport) as network:
        value = RemoteParameters(network, controller).get(name)
    if as_json:
        output.json_value({"name": name, "value": value})
    else:
        output.text(write_flow(value))


@app.command("set", context_settings=NUMBERS)
def set_parameter(
    name: NameArgument,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="YAML: 64, [0.1, 0, 0], enable.")],
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Set a parameter between two cycles of the servo."""
    plain = read_value(value, "VALUE")
    with connect(transport) as network:
        RemoteParameters(network, controller).set(name, plain)
    output.text(f"{name} is set to {write_flow(plain)}")
