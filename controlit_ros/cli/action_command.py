"""List actions and send them goals."""

from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.graph_list import TypesOption, show_list, with_types
from controlit_ros.cli.options import JsonOption, TransportOption
from controlit_ros.cli.plain_values import read_fields, write_flow, write_value
from controlit_ros.cli.waiting import settled_graph
from controlit_ros.client.action_call import ActionCall, ActionResult, actions, find_action
from controlit_ros.client.network import connect
from controlit_ros.errors import ControlItError

TIMEOUT = 10.0  # [s] for an answer
LONGEST = 86_400.0  # [s] of a goal
SUCCEEDED = "succeeded"

app = typer.Typer()


class UnfinishedGoalError(ControlItError):
    """The goal was accepted and did not succeed; the text says how it ended."""


@app.command("list")
def list_actions(
    *,
    types: TypesOption = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List actions."""
    with connect(transport) as network:
        found = actions(settled_graph(network))
    rows = [{"name": info.name, "type": info.type_name} for info in found]
    lines = (with_types(info.name, (info.type_name,), shown=types) for info in found)
    show_list("actions", rows, lines, as_json=as_json)


@app.command()
def send(
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="Name, or its end where that is unique.")
    ],
    values: Annotated[
        str,
        typer.Argument(metavar="VALUES", help="Fields of the goal as YAML: {task: Posture, ...}."),
    ],
    *,
    feedback: Annotated[
        bool, typer.Option("--feedback", "-f", help="Show how it goes, a line each time.")
    ] = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Send a goal, wait for it to end and print its result; Ctrl-C cancels it.

    Fails when the goal is rejected, or accepted and does not succeed.
    """
    goal = read_fields(values)

    def tell(fields: dict[str, Any]) -> None:
        if feedback:
            output.text(write_flow(fields))

    with connect(transport) as network:
        info = find_action(settled_graph(network), action)
        call = ActionCall(network, info, tell)
        call.send(goal, TIMEOUT)
        ended = _end_of(call)
    if as_json:
        output.json_value({"status": ended.status, **ended.result})
    else:
        output.text(write_value({"status": ended.status, **ended.result}))
    if ended.status != SUCCEEDED:
        raise UnfinishedGoalError(f"the goal of {info.name} {ended.status}")


def _end_of(call: ActionCall) -> ActionResult:
    try:
        return call.result(LONGEST)
    except KeyboardInterrupt:
        call.cancel(TIMEOUT)
        return call.result(TIMEOUT)
