"""The embedded transport: ROS 2's wire without ROS 2."""

import atexit
import os
from weakref import WeakSet

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.remapping import Remapping
from controlit_ros.transport.transport_base import TransportBase

from .client import DdsClient
from .context import DdsContext
from .discovery import Discovery
from .participant import DdsParticipant
from .publisher import DdsPublisher
from .service import DdsService
from .settings import DdsSettings
from .subscription import DdsSubscription
from .wait_loop import DdsWaitLoop


class DdsTransport(TransportBase):
    """A node on Cyclone DDS that ROS 2 takes for one of its own; implements `Transport`.

    It has three threads: one for callbacks of subscriptions, one for handlers of services, and
    one for discovery and replies, which runs no code of the user, so a callback may call a
    service and a handler may call another.

    Services interoperate with `rmw_cyclonedds_cpp` only, topics with every DDS of ROS 2.
    """

    def __init__(
        self,
        node_name: str,
        namespace: str = "/",
        *,
        settings: DdsSettings | None = None,
        book: TypeBook | None = None,
    ) -> None:
        """Join the domain.

        Args:
            node_name: one token.
            namespace: of the node; relative names are resolved in it.
            settings: where to look for other nodes; from the environment if not given.
            book: types to use; that of the process if not given.

        Raises:
            InvalidNameError: the node's name or namespace breaks the rules.
            TransportError: the domain cannot be joined.
        """
        super().__init__(NodeName.of(node_name, namespace), book)
        self._remapping = Remapping(self._node)
        self._participant = DdsParticipant(settings or DdsSettings.from_environment(os.environ))
        entity = self._participant.entity
        self._internal_loop = DdsWaitLoop(entity, f"{node_name} discovery")
        self._topic_loop = DdsWaitLoop(entity, f"{node_name} topics")
        self._service_loop = DdsWaitLoop(entity, f"{node_name} services")
        self._discovery = Discovery(
            self._participant, self._node, self._internal_loop, self._counters, self._book
        )
        self._context = DdsContext(self._participant, self._discovery, self._counters, self._book)
        _open.add(self)

    def gather(self, period: float) -> None:
        """Deliver messages of topics in rounds (see `Transport.gather`)."""
        self._topic_loop.pause = period

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""
        return self._discovery.graph()

    def _new_publisher(self, endpoint: Endpoint, qos: Qos) -> DdsPublisher:
        return DdsPublisher(endpoint, qos, self._context, self._internal_loop)

    def _new_subscription(
        self, endpoint: Endpoint, callback: Callback | RawCallback, qos: Qos, *, raw: bool
    ) -> DdsSubscription:
        return DdsSubscription(endpoint, callback, qos, self._context, self._topic_loop, raw=raw)

    def _new_service(self, endpoint: Endpoint, handler: Handler) -> DdsService:
        return DdsService(endpoint, handler, self._context, self._service_loop)

    def _new_client(self, endpoint: Endpoint) -> DdsClient:
        return DdsClient(endpoint, self._context, self._internal_loop)

    def _leave(self) -> None:
        self._discovery.close()
        for loop in (self._topic_loop, self._service_loop, self._internal_loop):
            loop.close()
        self._participant.close()
        _open.discard(self)


_open: WeakSet[DdsTransport] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Close what is open: Cyclone's threads must not call into an interpreter that ends."""
    for transport in list(_open):
        transport.close()
