"""Calling the services of one running controller."""

from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

import typer

from controlit_ros.cli.waiting import waiting
from controlit_ros.client.client_errors import negative
from controlit_ros.client.network import (
    AmbiguousNameError,
    NotFoundError,
    client,
    connect,
    find_service,
)
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import ServiceInfo, Transport

TIMEOUT = 10.0  # [s] for an answer

ControllerOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Which controller, if several run.", show_default=False),
]


def call(service: str, controller: str | None, transport: str | None, **fields: Any) -> Message:
    """Join the network and call a service of a controller.

    Args:
        service: Name below the controller's: `control/setTaskState`, of type `SetTaskState`.
        controller: Its name; `None` when there is only one.
        transport: How to reach it; `None`: as the environment says.
        fields: Of the request.

    Raises:
        NotFoundError: There is no such controller, or several and none was named.
        RefusedError: The answer is no.
        ControllerLostError: It tells how the servo ended.
        TransportError: There is no such transport, or it cannot be opened.
    """
    name = service if controller is None else f"/{controller.strip('/')}/{service}"
    short = service.rpartition("/")[2]
    type_name = f"controlit/srv/{short[0].upper()}{short[1:]}"
    with waiting(f"looking for {name}") as progress, connect(transport) as network:
        found = _found(network, name, service)
        progress.step(f"waiting for the answer of {found.name}")
        caller = client(network, found, type_name)
        answer = caller.call(new(f"{type_name}_Request", **fields), TIMEOUT)
    if not answer.success:
        raise negative(found.name.removesuffix(service).strip("/"), answer.message)
    return answer


def _found(network: Transport, name: str, service: str) -> ServiceInfo:
    try:
        return find_service(network, name)
    except AmbiguousNameError as error:
        names = [full.removesuffix(f"/{service}").lstrip("/") for full in error.fitting]
        raise several_controllers(names) from None


def several_controllers(names: Iterable[str]) -> NotFoundError:
    """Return what is told when several controllers run and none was named."""
    return NotFoundError(f"several controllers run; choose with --controller: {', '.join(names)}")
