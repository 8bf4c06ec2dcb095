"""The embedded transport: ROS 2's wire without ROS 2."""

import atexit
import os
from collections.abc import Callable
from threading import Lock
from typing import TypeVar
from weakref import WeakSet

from controlit_ros.interfaces import TypeBook, type_book
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.node_base import NodeBase
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import DEFAULT, Qos

from .client import DdsClient
from .context import DdsContext
from .discovery import Discovery
from .participant import DdsParticipant
from .publisher import DdsPublisher
from .service import DdsService
from .settings import DdsSettings
from .subscription import DdsSubscription
from .wait_loop import DdsWaitLoop

_End = TypeVar("_End", bound=End)


class DdsTransport(NodeBase):
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
        super().__init__(NodeName.of(node_name, namespace), type_book() if book is None else book)
        self._lock = Lock()
        self._parts: list[End] = []
        self._closed = False
        self._counters = Counters()
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

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> DdsPublisher:
        """Return a new publisher (see `Transport.publisher`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(
            lambda: DdsPublisher(
                endpoint,
                qos,
                self._context,
                self._internal_loop,
            )
        )

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> DdsSubscription:
        """Call `callback` with every message of the topic (see `Transport.subscribe`)."""
        return self._subscribe(topic, type_name, callback, qos, raw=False)

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> DdsSubscription:
        """Hand on every message as bytes (see `Transport.subscribe_raw`)."""
        return self._subscribe(topic, type_name, callback, qos, raw=True)

    def _subscribe(
        self,
        topic: str,
        type_name: str,
        callback: Callback | RawCallback,
        qos: Qos,
        *,
        raw: bool,
    ) -> DdsSubscription:
        endpoint = self._topic(topic, type_name)
        return self._make(
            lambda: DdsSubscription(
                endpoint, callback, qos, self._context, self._topic_loop, raw=raw
            )
        )

    def serve(self, service: str, type_name: str, handler: Handler) -> DdsService:
        """Answer calls of a service with `handler` (see `Transport.serve`)."""
        endpoint = self._service(service, type_name)
        return self._make(
            lambda: DdsService(
                endpoint,
                handler,
                self._context,
                self._service_loop,
            )
        )

    def client(self, service: str, type_name: str) -> DdsClient:
        """Return a client of a service (see `Transport.client`)."""
        endpoint = self._service(service, type_name)
        return self._make(
            lambda: DdsClient(
                endpoint,
                self._context,
                self._internal_loop,
            )
        )

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""
        return self._discovery.graph()

    def health(self) -> Health:
        """Return the counters of the transport."""
        with self._lock:
            subscriptions = [part for part in self._parts if isinstance(part, DdsSubscription)]
        return self._counters.health(lost=sum(part.lost for part in subscriptions))

    def close(self) -> None:
        """Close everything that was made here and leave the domain."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            parts, self._parts = self._parts, []
        for part in parts:
            part.close()
        self._discovery.close()
        for loop in (self._topic_loop, self._service_loop, self._internal_loop):
            loop.close()
        self._participant.close()
        _open.discard(self)

    def _make(self, make: Callable[[], _End]) -> _End:
        with self._lock:
            if self._closed:
                raise TransportClosedError(f"the transport of {self._node.full_name} is closed")
            part = make()
            self._parts = [*(other for other in self._parts if other.is_open), part]
            return part


_open: WeakSet[DdsTransport] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Close what is open: Cyclone's threads must not call into an interpreter that ends."""
    for transport in list(_open):
        transport.close()
