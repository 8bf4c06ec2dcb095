"""Look at the states of controllers and change them."""

from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import JsonOption, TransportOption
from controlit_ros.cli.waiting import settled_graph
from controlit_ros.client.network import (
    PATIENCE,
    AmbiguousNameError,
    NotFoundError,
    connect,
    domain,
    wait_for,
)
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import Transport

PACKAGE = "lifecycle_msgs/srv"
GET_STATE = "get_state"
CHANGE_TIMEOUT = 60.0  # [s] connecting to a robot, or starting its simulator, takes a while

app = typer.Typer()

NodeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="NODE", help="Name, or its end where that is unique; may be left out for one."
    ),
]


class TransitionError(ControlItError):
    """A transition failed or does not exist."""


@app.callback()
def group() -> None:
    """Look at the states of controllers and change them."""


@app.command("list")
def list_transitions(
    node: NodeArgument = None,
    *,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List the transitions that a node can make now."""
    with connect(transport) as network:
        found = _transitions(network, _one(network, node))
    if as_json:
        output.json_value(found)
        return
    for entry in found:
        output.text(f"{entry['label']} [{entry['id']}]: {entry['start']} -> {entry['goal']}")


@app.command()
def get(
    node: NodeArgument = None,
    *,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Print the state of a node, or of all managed nodes."""
    with connect(transport) as network:
        names = _managed(network) if node is None else [_one(network, node)]
        states = {name: _state(network, name) for name in names}
    if as_json:
        output.json_value(
            [{"node": name, "state": s.label, "id": s.id} for name, s in states.items()]
        )
        return
    for name, state in states.items():
        text = f"{state.label} [{state.id}]"
        output.text(text if node is not None else f"{name}: {text}")


@app.command("set")
def set_state(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[NODE] TRANSITION",
            help="configure, activate, deactivate, cleanup or shutdown; NODE as in `get`.",
        ),
    ],
    *,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Let a node make a transition."""
    if len(words) > 2:
        raise typer.BadParameter(f"found {' '.join(words)!r}, expected [NODE] TRANSITION")
    wanted = words[-1]
    with connect(transport) as network:
        node = _one(network, words[0] if len(words) == 2 else None)
        labels = [entry["label"] for entry in _transitions(network, node)]
        if wanted not in labels:
            now = _state(network, node).label
            hint = did_you_mean(wanted, labels)
            raise TransitionError(f"{node} is {now}: there is no transition {wanted!r}{hint}")
        transition = {"transition": {"label": wanted}}
        answer = _call(network, node, "change_state", "ChangeState", transition, CHANGE_TIMEOUT)
        state = _state(network, node)
    if not answer.success:
        raise TransitionError(f"{node}: {wanted} failed, the node is {state.label}; see its log")
    if as_json:
        output.json_value({"node": node, "state": state.label, "id": state.id})
    else:
        output.text(f"{node} is {state.label}")


def _managed(network: Transport) -> list[str]:
    """Return the nodes that have a lifecycle."""

    def found() -> list[str]:
        services = set(network.graph().served)
        nodes = [node.full_name for node in network.graph().nodes]
        return [name for name in nodes if f"{name}/{GET_STATE}" in services]

    wait_for(lambda: bool(found()), PATIENCE)
    settled_graph(network)
    names = found()
    if not names:
        raise NotFoundError(f"there is no managed node in {domain()}")
    return names


def _one(network: Transport, name: str | None) -> str:
    nodes = _managed(network)
    if name is None:
        if len(nodes) > 1:
            raise NotFoundError(f"several nodes have a lifecycle, name one: {', '.join(nodes)}")
        return nodes[0]
    end = name if name.startswith("/") else f"/{name}"
    fitting = [end] if end in nodes else [node for node in nodes if node.endswith(end)]
    if len(fitting) > 1:
        raise AmbiguousNameError("node", name, fitting)
    if not fitting:
        raise NotFoundError(f"there is no managed node {name!r}{did_you_mean(name, nodes)}")
    return fitting[0]


def _call(
    network: Transport,
    node: str,
    service: str,
    type_name: str,
    fields: dict[str, Any],
    timeout: float = PATIENCE,
) -> Message:
    client = network.client(f"{node}/{service}", f"{PACKAGE}/{type_name}")
    return client.call(new(f"{PACKAGE}/{type_name}_Request", **fields), timeout)


def _state(network: Transport, node: str) -> Message:
    state: Message = _call(network, node, GET_STATE, "GetState", {}).current_state
    return state


def _transitions(network: Transport, node: str) -> list[dict[str, Any]]:
    answer = _call(network, node, "get_available_transitions", "GetAvailableTransitions", {})
    return [
        {
            "label": entry.transition.label,
            "id": entry.transition.id,
            "start": entry.start_state.label,
            "goal": entry.goal_state.label,
        }
        for entry in answer.available_transitions
    ]
