"""ROS 2's parameter services over the controller's parameters."""

from collections.abc import Callable
from typing import Any

from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.parameter_events import ParameterEvents
from controlit_ros.introspection.parameter_message import (
    FIELDS,
    NOT_SET,
    STRING,
    type_of,
    value_fields,
)
from controlit_ros.parameters import Access, Kind, Parameter, ParameterDirectory, Poster
from controlit_ros.transport import Transport

PACKAGE = "rcl_interfaces"


class ParameterServices:
    """Serves `~/list_parameters`, `~/get_parameters`, ... so that `ros2 param` works.

    Setting goes through the mailbox like every other change: validated at once, applied by the
    servo between two cycles. Outputs of the controller can be read, but are not listed: they have
    topics. Setting a fixed parameter to the value it has succeeds, so that a dump can be loaded.

    Args:
        directory: Parameters by full name.
        mailbox: Takes the values to set.
        events: Tells of them.
        transport: Services are relative to its node.
    """

    def __init__(
        self,
        directory: ParameterDirectory,
        mailbox: Poster,
        events: ParameterEvents,
        transport: Transport,
    ) -> None:
        self._directory = directory
        self._mailbox = mailbox
        self._events = events
        handlers: dict[str, Callable[[Message], Message]] = {
            "ListParameters": self._list,
            "GetParameters": self._get,
            "GetParameterTypes": self._get_types,
            "DescribeParameters": self._describe,
            "SetParameters": self._set,
            "SetParametersAtomically": self._set_atomically,
        }
        for name, handler in handlers.items():
            transport.serve(f"~/{_service_name(name)}", f"{PACKAGE}/srv/{name}", handler)

    def _list(self, request: Message) -> Message:
        prefixes = tuple(request.prefixes)
        names = [
            name
            for name, parameter in self._directory.items()
            if parameter.access is not Access.OUTPUT
            and (not prefixes or any(name == p or name.startswith(f"{p}.") for p in prefixes))
        ]
        owners = sorted({name.split(".", 1)[0] for name in names if "." in name})
        return new(
            f"{PACKAGE}/srv/ListParameters_Response", result={"names": names, "prefixes": owners}
        )

    def _get(self, request: Message) -> Message:
        values = [
            _to_value(self._directory[name]) if name in self._directory else {"type": NOT_SET}
            for name in request.names
        ]
        return new(f"{PACKAGE}/srv/GetParameters_Response", values=values)

    def _get_types(self, request: Message) -> Message:
        types = [
            type_of(self._directory[name]) if name in self._directory else NOT_SET
            for name in request.names
        ]
        return new(f"{PACKAGE}/srv/GetParameterTypes_Response", types=types)

    def _describe(self, request: Message) -> Message:
        descriptors = [
            _descriptor(self._directory[name]) if name in self._directory else {"name": name}
            for name in request.names
        ]
        return new(f"{PACKAGE}/srv/DescribeParameters_Response", descriptors=descriptors)

    def _set(self, request: Message) -> Message:
        results = [self._post([parameter]) for parameter in request.parameters]
        return new(f"{PACKAGE}/srv/SetParameters_Response", results=results)

    def _set_atomically(self, request: Message) -> Message:
        result = self._post(list(request.parameters))
        return new(f"{PACKAGE}/srv/SetParametersAtomically_Response", result=result)

    def _post(self, parameters: list[Message]) -> dict[str, Any]:
        try:
            named = [(self._directory[p.name], p.value) for p in parameters]
            values = {parameter: _from_value(parameter, value) for parameter, value in named}
            self._mailbox.check_read()
            changes = {p: v for p, v in values.items() if not _is_kept(p, v)}
            self._mailbox.post(changes)
            self._events.changed(changes)
        except ControlItError as error:
            return {"successful": False, "reason": str(error)}
        return {"successful": True, "reason": ""}


def _service_name(type_name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in type_name).lstrip("_")


def _to_value(parameter: Parameter) -> dict[str, Any]:
    return value_fields(parameter, parameter.snapshot())


def _from_value(parameter: Parameter, value: Message) -> Any:
    if value.type not in FIELDS:
        return None
    content = getattr(value, FIELDS[value.type])
    if value.type == STRING and parameter.kind is Kind.FLOAT:
        return _numbers(content)
    return content.tolist() if hasattr(content, "tolist") else content


def _numbers(text: str) -> Any:
    """Read what has no type of its own in ROS 2: a map by name, and `5e-05` of `ros2 param`."""
    document = read_yaml(text)
    return text if document.problems else document.data


def _is_kept(parameter: Parameter, value: Any) -> bool:
    return parameter.access is not Access.RUN_TIME and bool(value == parameter.snapshot())


def _descriptor(parameter: Parameter) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": parameter.full_name,
        "type": type_of(parameter),
        "description": parameter.description,
        "additional_constraints": parameter.expected,
        "read_only": parameter.access is not Access.RUN_TIME,
    }
    bounds = (parameter.lower, parameter.upper)
    if parameter.kind is Kind.FLOAT and bounds != (None, None):
        limits = [
            default if b is None else b for b, default in zip(bounds, (-1e308, 1e308), strict=True)
        ]
        fields["floating_point_range"] = [{"from_value": limits[0], "to_value": limits[1]}]
    return fields
