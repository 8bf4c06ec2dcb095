"""List nodes and what they exchange."""

from dataclasses import asdict
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.graph_list import show_list
from controlit_ros.cli.options import JsonOption, TransportOption
from controlit_ros.cli.waiting import settled_graph
from controlit_ros.client.network import (
    HIDDEN,
    LITTLE_PATIENCE,
    AmbiguousNameError,
    NotFoundError,
    connect,
    domain,
    wait_for,
)
from controlit_ros.errors import did_you_mean
from controlit_ros.transport import NodeInfo, Transport

SECTIONS = ("publishers", "subscriptions", "services", "clients")

app = typer.Typer()


@app.command("list")
def list_nodes(
    *,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Tools as well.")] = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List nodes."""
    with connect(transport) as network:
        nodes = [
            node.full_name
            for node in settled_graph(network).nodes
            if everything or not node.name.startswith(HIDDEN)
        ]
    show_list("nodes", nodes, nodes, as_json=as_json)


@app.command()
def info(
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="Name, or its end where that is unique.")
    ],
    *,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Show what a node publishes, subscribes to, serves and calls."""
    with connect(transport) as network:
        found = _find(network, node)
    if as_json:
        output.json_value({"full_name": found.full_name, **asdict(found)})
        return
    output.text(found.full_name)
    for section in SECTIONS:
        endpoints = getattr(found, section)
        if endpoints:
            output.text(f"  {section}:")
        for endpoint in endpoints:
            output.text(f"    {endpoint.name} [{endpoint.type_name}]")


def _find(network: Transport, name: str) -> NodeInfo:
    end = name if name.startswith("/") else f"/{name}"
    wait_for(
        lambda: any(node.full_name.endswith(end) for node in network.graph().nodes), LITTLE_PATIENCE
    )
    nodes = {node.full_name: node for node in settled_graph(network).nodes}
    if end in nodes:
        return nodes[end]
    fitting = [full for full in nodes if full.endswith(end)] if name != end else []
    if len(fitting) == 1:
        return nodes[fitting[0]]
    if fitting:
        raise AmbiguousNameError("node", name, fitting)
    known = [full for full, node in nodes.items() if not node.name.startswith(HIDDEN)]
    if not known:
        raise NotFoundError(f"there is no node {name!r}, nor any other, in {domain()}")
    raise NotFoundError(f"there is no node {name!r}{did_you_mean(name, known)}")
