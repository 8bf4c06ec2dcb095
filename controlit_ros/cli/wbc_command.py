"""List and exchange whole-body controllers while they run."""

from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.options import JsonOption, TransportOption

app = typer.Typer()


@app.callback()
def group() -> None:
    """List the whole-body controllers of a running controller and exchange them."""


@app.command("list")
def list_controllers(
    *,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List whole-body controllers with type and which one is active."""
    answer = call("diagnostics/getWholeBodyControllers", controller, transport)
    rows = list(zip(answer.whole_body_controllers, answer.types, strict=True))
    if as_json:
        output.json_value(
            [{"name": name, "type": kind, "active": name == answer.active} for name, kind in rows]
        )
        return
    cells = [(name, kind, "active" if name == answer.active else "") for name, kind in rows]
    output.rendered(output.table(("whole-body controller", "type", ""), cells))


@app.command("set")
def set_controller(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one shall compute.")],
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Let another whole-body controller compute the command."""
    call("control/setWholeBodyController", controller, transport, whole_body_controller=name)
    output.text(f"{name} is active")
