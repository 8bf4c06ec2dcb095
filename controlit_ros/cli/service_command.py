"""List and call services."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.graph_list import TypesOption, show_list, with_types
from controlit_ros.cli.options import JsonOption, TransportOption, TypeArgument
from controlit_ros.cli.plain_values import read_fields, write_value
from controlit_ros.cli.waiting import settled_graph, waiting
from controlit_ros.client.network import (
    client,
    connect,
    find_service,
    full_type,
    single_type,
)
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import new, to_dict, type_book

TIMEOUT = 10.0  # [s] for an answer
SUCCESS = "success"  # the field by which answers tell that nothing was done, by custom of ROS

app = typer.Typer()


class NotDoneError(ControlItError):
    """The service answered that it did not do what it was asked for."""


@app.command("list")
def list_services(
    *,
    types: TypesOption = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List services."""
    with connect(transport) as network:
        services = [info for info in settled_graph(network).services if info.server_count]
    rows = [{"name": info.name, "types": info.types} for info in services]
    lines = (with_types(info.name, info.types, shown=types) for info in services)
    show_list("services", rows, lines, as_json=as_json)


@app.command()
def call(
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="Name, or its end where that is unique.")
    ],
    type_or_values: TypeArgument = None,
    values: Annotated[
        str | None,
        typer.Argument(metavar="VALUES", help="Fields of the request as YAML: {task: Posture}."),
    ] = None,
    *,
    timeout: Annotated[
        float, typer.Option(min=0.0, metavar="S", help="Longest wait for the answer [s].")
    ] = TIMEOUT,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Call a service and print its answer; fails when that has `success: false`."""
    type_name, text = _split(type_or_values, values)
    request = read_fields(text)
    wanted = None if type_name is None else full_type(type_name, "srv")
    with connect(transport) as network:
        with waiting(f"looking for {service}"):
            info = find_service(network, service)
        used = type_book().service(wanted or single_type(info))
        message = new(used.request, **request)
        with waiting(f"waiting for the answer of {info.name}"):
            answer = to_dict(client(network, info, used.name).call(message, timeout))
    if as_json:
        output.json_value(answer)
    else:
        output.text(write_value(answer))
    if answer.get(SUCCESS) is False:
        raise NotDoneError(f"{info.name} answered {SUCCESS}: false{_reason(answer)}")


def _reason(answer: Mapping[str, Any]) -> str:
    message = answer.get("message")
    return f": {message}" if isinstance(message, str) and message else ""


def _split(type_or_values: str | None, values: str | None) -> tuple[str | None, str]:
    """Tell apart `TYPE VALUES`, `TYPE` alone and `VALUES` alone."""
    if values is not None or type_or_values is None:
        return type_or_values, values or ""
    if ":" in type_or_values or "{" in type_or_values:
        return None, type_or_values
    return type_or_values, ""
