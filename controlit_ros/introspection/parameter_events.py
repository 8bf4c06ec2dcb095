"""ParameterEvents: the topic `/parameter_events`, on which nodes tell of their parameters."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import new
from controlit_ros.introspection.parameter_message import value_fields
from controlit_ros.parameters import Access, Parameter, ParameterDirectory
from controlit_ros.parameters.mailbox import checked_values
from controlit_ros.transport import EVENTS, Transport
from controlit_ros.transport.names import NodeName

TOPIC = "/parameter_events"
EVENT = "rcl_interfaces/msg/ParameterEvent"


class ParameterEvents:
    """Tells which parameters there are from the start, come, go, and are set by services.

    Goals that come on topics and from actions are no such events: they have topics of their own
    and come a hundred times a second. Nor are outputs.

    Args:
        directory: Parameters by full name.
        transport: Of the node whose parameters they are.
        now: The present ROS time [s].
    """

    def __init__(
        self, directory: ParameterDirectory, transport: Transport, now: Callable[[], float]
    ) -> None:
        self._directory = directory
        self._node = NodeName(transport.namespace, transport.node_name).full_name
        self._now = now
        self._known: dict[str, Parameter] = {}
        self._telling = Lock()
        self._publisher = transport.publisher(TOPIC, EVENT, EVENTS)
        self.renew()

    def renew(self) -> None:
        """Tell which parameters came and went since the last time."""
        with self._telling:
            before, self._known = self._known, self._listed()
            came = [p for name, p in self._known.items() if before.get(name) is not p]
            gone = [p for name, p in before.items() if name not in self._known]
            if came or gone:
                self._tell(
                    new_parameters=[_fields(p, p.snapshot()) for p in came],
                    deleted_parameters=[{"name": p.full_name} for p in gone],
                )

    def changed(self, values: Mapping[Parameter, Any]) -> None:
        """Tell that parameters were set, and what that implied; values as a mailbox takes them."""
        with suppress(ControlItError):  # what cannot be told has changed all the same
            changes = []
            for parameter, value in checked_values(values).items():
                after = parameter.after(value)
                plain = after.tolist() if parameter.is_array else after
                changes.append(_fields(parameter, plain))
            if changes:
                self._tell(changed_parameters=changes)

    def _listed(self) -> dict[str, Parameter]:
        return {n: p for n, p in self._directory.items() if p.access is not Access.OUTPUT}

    def _tell(self, **parameters: list[dict[str, Any]]) -> None:
        stamp = time_fields(self._now())
        self._publisher.publish(new(EVENT, stamp=stamp, node=self._node, **parameters))


def _fields(parameter: Parameter, value: Any) -> dict[str, Any]:
    return {"name": parameter.full_name, "value": value_fields(parameter, value)}
