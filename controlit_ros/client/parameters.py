"""Parameters: those of a running controller, by name."""

import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from controlit_ros.client.client_errors import ClientError, UnknownNameError
from controlit_ros.client.link import ControllerLink
from controlit_ros.client.parameter_values import plain_parameter
from controlit_ros.errors import did_you_mean
from controlit_ros.interfaces import Message


class Parameters(MutableMapping[str, Any]):
    """Maps `owner.parameter` to values: read, and set between two cycles of the servo.

    Outputs can be read as well; iteration lists what has been set or can be.

    Args:
        link: Returns the way to the controller.
    """

    def __init__(self, link: Callable[[], ControllerLink]) -> None:
        self._link = link

    def __getitem__(self, name: str) -> Any:
        value = plain_parameter(
            self._ask("get_parameters", "GetParameters", names=[name]).values[0]
        )
        if value is None:
            raise unknown(self._link().name, "parameter", name, list(self))
        return value

    def __setitem__(self, name: str, value: Any) -> None:
        self.change({name: value})

    def __delitem__(self, name: str) -> None:
        raise ClientError(f"{name} cannot be deleted: a parameter is always there")

    def __iter__(self) -> Iterator[str]:
        answer = self._ask("list_parameters", "ListParameters")
        return iter([str(name) for name in answer.result.names])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def change(self, values: Mapping[str, Any]) -> None:
        """Set several parameters between two cycles, all or none; returns when it is done.

        Args:
            values: By full name; goals, gains, states and priorities alike.

        Raises:
            RefusedError: A name or value does not fit; nothing has changed.
        """
        self._link().ask(
            "control/setParameters",
            names=list(values),
            values=[flow(value) for value in values.values()],
        )

    def _ask(self, service: str, kind: str, **fields: Any) -> Message:
        link = self._link()
        return link.ask(link.serving(service), f"rcl_interfaces/srv/{kind}", **fields)


def flow(value: Any) -> str:
    """Return a value, which may have arrays in it, as one line of YAML."""
    return json.dumps(_plain(value))


def unknown(owner: str, what: str, name: str, known: list[str]) -> UnknownNameError:
    """Return an error for a name that is not there, with the nearest."""
    return UnknownNameError(f"{owner} has no {what} {name!r}{did_you_mean(name, known)}")


def _plain(value: Any) -> Any:
    """Return a value without arrays."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value
