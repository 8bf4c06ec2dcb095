"""RemoteParameters: the parameters of a running controller, through ROS 2's services."""

from collections.abc import Mapping
from typing import Any

from controlit_ros.cli.controller_services import several_controllers
from controlit_ros.cli.plain_values import write_flow
from controlit_ros.cli.waiting import settled_graph, waiting
from controlit_ros.client.client_errors import RefusedError
from controlit_ros.client.network import (
    LITTLE_PATIENCE,
    PATIENCE,
    NotFoundError,
    domain,
    wait_for,
)
from controlit_ros.client.parameter_values import VALUE_TYPES, plain_parameter
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import FieldError, Message, new
from controlit_ros.transport import Transport

PACKAGE = "rcl_interfaces/srv"
LIST = "/list_parameters"
TIMEOUT = 10.0  # [s] for an answer


class RemoteParameters:
    """Reads and sets parameters of one node.

    Args:
        transport: How to reach it.
        controller: Namespace or full name of the node; `None` when there is only one.

    Attributes:
        node: Its full name.

    Raises:
        NotFoundError: There is no such node, or several and none was named.
    """

    def __init__(self, transport: Transport, controller: str | None) -> None:
        self._transport = transport
        self.node = _find(transport, controller)

    def names(self) -> list[str]:
        """Return the names of all parameters, `owner.parameter`."""
        return list(self._call("ListParameters").result.names)

    def describe(self, names: list[str]) -> list[Message]:
        """Return descriptors, `rcl_interfaces/msg/ParameterDescriptor`."""
        return list(self._call("DescribeParameters", names=names).descriptors)

    def values(self, names: list[str]) -> list[Any]:
        """Return values as plain Python; `None` for a parameter that is not set."""
        return [plain_parameter(value) for value in self._call("GetParameters", names=names).values]

    def get(self, name: str) -> Any:
        """Return the value of a parameter.

        Raises:
            NotFoundError: There is none of that name; the text has the nearest.
        """
        value = self.values([name])[0]
        if value is None:
            raise self._unknown(name)
        return value

    def set(self, name: str, value: Any) -> None:
        """Set a parameter.

        Raises:
            NotFoundError: There is none of that name; the text has the nearest.
            RefusedError: The value does not fit; the text has the reason.
        """
        descriptor = self.describe([name])[0]
        if descriptor.type not in VALUE_TYPES:
            raise self._unknown(name)
        parameter = {"name": name, "value": _typed(name, descriptor, value)}
        result = self._call("SetParameters", parameters=[parameter]).results[0]
        if not result.successful:
            raise RefusedError(result.reason)

    def _call(self, kind: str, **fields: Any) -> Message:
        letters = "".join(f"_{c.lower()}" if c.isupper() else c for c in kind).lstrip("_")
        service = self._transport.client(f"{self.node}/{letters}", f"{PACKAGE}/{kind}")
        try:
            with waiting(f"waiting for the answer of {self.node}"):
                return service.call(new(f"{PACKAGE}/{kind}_Request", **fields), TIMEOUT)
        finally:
            service.close()

    def _unknown(self, name: str) -> NotFoundError:
        names = self.names()
        owner, _, short = name.rpartition(".")
        of_owner = {full.rpartition(".")[2]: full for full in names if full.startswith(f"{owner}.")}
        hint = did_you_mean(short, of_owner) if owner and of_owner else did_you_mean(name, names)
        return NotFoundError(f"{self.node} has no parameter {name!r}{hint}")


def _find(transport: Transport, controller: str | None) -> str:
    def nodes() -> list[str]:
        return [name.removesuffix(LIST) for name in transport.graph().served if name.endswith(LIST)]

    def fitting() -> list[str]:
        if controller is None:
            return nodes()
        wanted = f"/{controller.strip('/')}"
        return [node for node in nodes() if wanted in (node, node.rpartition("/")[0])]

    with waiting("looking for the controller"):
        wait_for(lambda: bool(nodes()), PATIENCE)
        wait_for(lambda: bool(fitting()), LITTLE_PATIENCE)
    settled_graph(transport)
    found = fitting()
    if len(found) == 1:
        return found[0]
    if found:
        raise several_controllers(found)
    known = nodes()
    if controller is None or not known:
        raise NotFoundError(f"no controller runs in {domain()}")
    namespaces = [node.rpartition("/")[0].lstrip("/") for node in known]
    raise NotFoundError(f"no controller {controller!r} runs{did_you_mean(controller, namespaces)}")


def _typed(name: str, descriptor: Message, value: Any) -> dict[str, Any]:
    """Return a value in the type of its descriptor, or else in its own: a number for all entries.

    What does not fit is left to the controller, whose reason says more than ours would. A map by
    name, which ROS 2's parameters do not know, travels as text.
    """
    if isinstance(value, Mapping):
        value = write_flow(value)
    for kind in (descriptor.type, _natural_type(value)):
        typed = {"type": kind, VALUE_TYPES[kind].field: value}
        try:
            new("rcl_interfaces/msg/ParameterValue", **typed)
        except FieldError:
            continue
        return typed
    expected = descriptor.additional_constraints or f"a {VALUE_TYPES[descriptor.type].name}"
    raise RefusedError(f"{name}: found {write_flow(value)}, expected {expected}")


def _natural_type(value: Any) -> int:
    entry = value[0] if isinstance(value, list) and value else value
    kinds = {bool: (1, 6), int: (2, 7), float: (3, 8), str: (4, 9)}
    scalar, array = kinds.get(type(entry), (4, 9))
    return array if isinstance(value, list) else scalar
