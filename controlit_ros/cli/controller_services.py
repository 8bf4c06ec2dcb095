"""Calling the services of one running controller."""

from typing import Annotated, Any, TypeAlias

import typer

from controlit_ros.cli.connection import client, find_service
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import Transport

TIMEOUT = 10.0  # [s] for an answer

ControllerOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Which controller, if several run.", show_default=False),
]


class RefusedError(ControlItError):
    """The controller does not do what it is asked; the text has its reason."""


def call(
    network: Transport, controller: str | None, service: str, type_name: str, **fields: Any
) -> Message:
    """Call a service of a controller.

    Args:
        network: How to reach it.
        controller: Its name; `None` when there is only one.
        service: Name below the controller's: `control/setTaskState`.
        type_name: Name of the type in controlit's own `srv`.
        fields: Of the request.

    Raises:
        NotFoundError: There is no such controller, or several and none was named.
        RefusedError: The answer is no.
    """
    name = service if controller is None else f"/{controller.strip('/')}/{service}"
    full_type = f"controlit/srv/{type_name}"
    caller = client(network, find_service(network, name), full_type)
    answer = caller.call(new(f"{full_type}_Request", **fields), TIMEOUT)
    if not answer.success:
        raise RefusedError(answer.message)
    return answer
