"""List, add, remove, switch and rank the tasks of a running controller."""

from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.entry_text import EntryArgument, add_entry
from controlit_ros.cli.options import NUMBERS, JsonOption, TransportOption
from controlit_ros.cli.plain_values import read_value

app = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="TASK", help="Name of the task.")]


@app.callback()
def group() -> None:
    """List, add and remove tasks of a running controller, switch them, move their priority."""


@app.command("list")
def list_tasks(
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List tasks with type, state, priority and how far off they are."""
    answer = call("diagnostics/getTaskParameters", controller, transport)
    norms = {
        info.owner: read_value(info.value, info.name)
        for info in answer.parameters
        if info.name == "error_norm"
    }
    rows = [
        {
            "name": name,
            "type": kind,
            "state": state,
            "priority": int(priority),
            "error_norm": norms.get(name),
        }
        for name, kind, state, priority in zip(
            answer.tasks, answer.types, answer.states, answer.priorities, strict=True
        )
    ]
    if as_json:
        output.json_value(rows)
        return
    headings = ("task", "type", "state", "priority [#]", "error norm [SI]")
    rows.sort(key=lambda row: -row["priority"])
    cells = [
        (row["name"], row["type"], row["state"], str(row["priority"]), _number(row["error_norm"]))
        for row in rows
    ]
    output.rendered(output.table(headings, cells))


@app.command()
def add(
    file: EntryArgument,
    *,
    priority: Annotated[
        int, typer.Option(metavar="PRIORITY", help="Level of the task; higher wins.", min=0)
    ] = 0,
    state: Annotated[
        str, typer.Option(metavar="STATE", help="enable, disable or sense.")
    ] = "enable",
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Add a task to the running controller; its effort ramps in."""
    answer = add_entry(
        "control/addTask", file, controller, transport, priority=priority, state=state
    )
    output.text(f"{answer.task} is added")


@app.command()
def remove(
    task: NameArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Remove a task from the running controller; its effort ramps out."""
    call("control/removeTask", controller, transport, task=task)
    output.text(f"{task} is removed")


@app.command("reload")
def reload_code(
    task: NameArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Let a task go on with the code that its Python file has now; its effort ramps."""
    call("control/reloadTask", controller, transport, task=task)
    output.text(f"{task} is reloaded")


@app.command("set")
def set_state(
    task: NameArgument,
    state: Annotated[str, typer.Argument(metavar="STATE", help="enable, disable or sense.")],
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Enable or disable a task, or only sense with it."""
    call("control/setTaskState", controller, transport, task=task, state=state)
    output.text(f"{task} is set to {state}")


@app.command(context_settings=NUMBERS)
def priority(
    task: NameArgument,
    level: Annotated[int, typer.Argument(metavar="PRIORITY", help="Higher wins.", min=0)],
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Move a task to another priority level."""
    call("control/setTaskPriority", controller, transport, task=task, priority=level)
    output.text(f"{task} has the priority {level}")


def _number(value: object) -> str:
    is_known = isinstance(value, float) and value == value  # noqa: PLR0124 - not a number
    return f"{value:.4g}" if is_known else ""
