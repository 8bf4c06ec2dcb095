"""The transport within one process, for tests and for programs that need no others."""

import os
from threading import Lock
from typing import TypeVar

from controlit_ros.interfaces import TypeBook, type_book
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.errors import TransportClosedError, TypeConflictError
from controlit_ros.transport.graph import Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.node_base import NodeBase
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import DEFAULT, Qos

from .broker import Broker
from .client import LocalClient
from .part import LocalContext, LocalPart
from .publisher import LocalPublisher
from .service import LocalService
from .subscription import LocalSubscription
from .worker import Worker

_P = TypeVar("_P", bound=LocalPart)


class LocalTransport(NodeBase):
    """A node that reaches the other local nodes of its process; implements `Transport`.

    Messages are encoded and decoded as they are on a network, so what works here works there.
    """

    def __init__(
        self,
        node_name: str,
        namespace: str = "/",
        *,
        domain: str | None = None,
        book: TypeBook | None = None,
    ) -> None:
        """Join a domain of this process.

        Args:
            node_name: one token.
            namespace: of the node; relative names are resolved in it.
            domain: nodes of different domains do not see each other; ROS_DOMAIN_ID if not given.
            book: types to use; that of the process if not given.

        Raises:
            InvalidNameError: the node's name or namespace breaks the rules.
        """
        super().__init__(NodeName.of(node_name, namespace), type_book() if book is None else book)
        self._broker = Broker.of(domain or os.environ.get("ROS_DOMAIN_ID") or "0")
        self._counters = Counters()
        self._context = LocalContext(self._node, self._broker, self._counters, self._book)
        self._topics = Worker(f"{node_name} topics")
        self._services = Worker(f"{node_name} services")
        self._lock = Lock()
        self._parts: list[LocalPart] = []
        self._closed = False
        self._broker.join(self._node)

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> LocalPublisher:
        """Return a new publisher (see `Transport.publisher`)."""
        endpoint = self._topic(topic, type_name)
        return self._add(LocalPublisher(endpoint, qos, self._context))

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> LocalSubscription:
        """Call `callback` with every message of the topic (see `Transport.subscribe`)."""
        endpoint = self._topic(topic, type_name)
        return self._add(LocalSubscription(endpoint, callback, qos, self._context, self._topics))

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> LocalSubscription:
        """Hand on every message as bytes (see `Transport.subscribe_raw`)."""
        endpoint = self._topic(topic, type_name)
        return self._add(
            LocalSubscription(endpoint, callback, qos, self._context, self._topics, raw=True)
        )

    def serve(self, service: str, type_name: str, handler: Handler) -> LocalService:
        """Answer calls of a service with `handler` (see `Transport.serve`)."""
        endpoint = self._service(service, type_name)
        return self._add(LocalService(endpoint, handler, self._context, self._services))

    def client(self, service: str, type_name: str) -> LocalClient:
        """Return a client of a service (see `Transport.client`)."""
        return self._add(LocalClient(self._service(service, type_name), self._context))

    def graph(self) -> Graph:
        """Return which nodes, topics and services there are."""
        return self._broker.graph()

    def health(self) -> Health:
        """Return the counters of the transport."""
        with self._lock:
            lost = sum(part.lost for part in self._parts if isinstance(part, LocalSubscription))
        return self._counters.health(lost=lost)

    def settle(self) -> None:
        """Wait until this node's callbacks have seen every message sent so far.

        For programs in simulated time, where it matters in which cycle a message is there. Not to
        be called from a callback.
        """
        self._topics.settle()

    def close(self) -> None:
        """Close everything that was made here and leave the domain."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            parts, self._parts = self._parts, []
        for part in parts:
            part.close()
        self._broker.leave(self._node)
        self._topics.close()
        self._services.close()

    def _add(self, part: _P) -> _P:
        with self._lock:
            if self._closed:
                raise TransportClosedError(f"the transport of {self._node.full_name} is closed")
            self._parts = [other for other in self._parts if other.is_open]
            for other in self._parts:
                if other.conflicts_with(part):
                    raise TypeConflictError(
                        f"{part.name} is used here with the type {other.type_name}, "
                        f"not {part.type_name}"
                    )
            self._parts.append(part)
        self._broker.add(part)
        return part
