"""What publishers, subscriptions, services and clients of the local transport share."""

import logging
from dataclasses import dataclass

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.qos import DEFAULT, Qos

from .broker import Broker

logger = logging.getLogger(__name__)

_OPPOSITES = {
    Role.PUBLISHER: (Role.SUBSCRIPTION, Role.PUBLISHER),
    Role.SUBSCRIPTION: (Role.PUBLISHER, Role.SUBSCRIPTION),
    Role.SERVER: (Role.CLIENT,),
    Role.CLIENT: (Role.SERVER,),
}


@dataclass(frozen=True)
class LocalContext:
    """The node, its broker, its counters and the types it speaks of."""

    node: NodeName
    broker: Broker
    counters: Counters
    book: TypeBook


class LocalPart(End):
    """An endpoint that joins the broker when made and leaves it when closed."""

    role: Role

    def __init__(self, endpoint: Endpoint, context: LocalContext, qos: Qos = DEFAULT) -> None:
        super().__init__(endpoint)
        self.node = context.node
        self.qos = qos
        self._context = context

    def on_change(self) -> None:
        """Report endpoints of other nodes that use our name with another type."""
        for role in _OPPOSITES[self.role]:
            for other in self._context.broker.find(role, self.endpoint.name):
                found = other.endpoint.type_name
                if found != self.type_name and other.node != self.node:
                    text = f"{self.name}: another node uses {found}, this one {self.type_name}"
                    if self._context.counters.add_conflict(text):
                        logger.warning("%s", text)

    def close(self) -> None:
        """Leave the broker."""
        self._closed = True
        self._context.broker.remove(self)

    def _check_open(self) -> None:
        if self._closed:
            raise TransportClosedError(f"the {self.role.value} end of {self.name} is closed")
