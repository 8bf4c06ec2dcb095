"""TransportBase: what the transports that exchange messages have in common."""

from abc import abstractmethod
from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

from controlit_ros.interfaces import TypeBook, type_book
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.errors import TransportClosedError, TypeConflictError
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.node_base import NodeBase
from controlit_ros.transport.port import (
    Callback,
    Client,
    Handler,
    Publisher,
    RawCallback,
    Service,
    Subscription,
)
from controlit_ros.transport.qos import DEFAULT, Qos
from controlit_ros.transport.remapping import Remapping

_End = TypeVar("_End", bound=Publisher | Subscription | Service | Client)


class TransportBase(NodeBase):
    """Makes ends of topics and services one at a time, and closes them; implements `Transport`.

    A middleware adds how its ends are made (`_new_...`, each an `End` that does what the port
    says), its graph, and how it is left.

    Args:
        node: Name of the node.
        book: Types to use; that of the process if not given.
    """

    def __init__(self, node: NodeName, book: TypeBook | None) -> None:
        super().__init__(node, type_book() if book is None else book)
        self._remapping = Remapping(node, ())  # where the middleware does it
        self._counters = Counters()
        self._making = RLock()
        self._ends: list[tuple[Endpoint, Any]] = []  # with what was asked for, before remapping
        self._closed = False

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> Publisher:
        """Return a new publisher (see `Transport.publisher`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(endpoint, lambda: self._new_publisher(endpoint, qos))

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Call `callback` with every message of the topic (see `Transport.subscribe`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(
            endpoint, lambda: self._new_subscription(endpoint, callback, qos, raw=False)
        )

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Hand on every message as bytes (see `Transport.subscribe_raw`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(
            endpoint, lambda: self._new_subscription(endpoint, callback, qos, raw=True)
        )

    def serve(self, service: str, type_name: str, handler: Handler) -> Service:
        """Answer calls of a service with `handler` (see `Transport.serve`)."""
        endpoint = self._service(service, type_name)
        return self._make(endpoint, lambda: self._new_service(endpoint, handler))

    def client(self, service: str, type_name: str) -> Client:
        """Return a client of a service (see `Transport.client`)."""
        endpoint = self._service(service, type_name)
        return self._make(endpoint, lambda: self._new_client(endpoint))

    def gather(self, period: float) -> None:
        """Deliver messages of topics in rounds (see `Transport.gather`); not in one process."""

    @abstractmethod
    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""

    def health(self) -> Health:
        """Return the counters of the transport."""
        with self._making:
            ends = [end for _, end in self._ends]
        return self._counters.health(ends)

    def close(self) -> None:
        """Close everything that was made here and leave the domain."""
        with self._making:
            if self._closed:
                return
            self._closed = True
            ends, self._ends = self._ends, []
        for _, end in ends:
            end.close()
        self._leave()

    @abstractmethod
    def _new_publisher(self, endpoint: Endpoint, qos: Qos) -> Publisher: ...

    @abstractmethod
    def _new_subscription(
        self, endpoint: Endpoint, callback: Callback | RawCallback, qos: Qos, *, raw: bool
    ) -> Subscription: ...

    @abstractmethod
    def _new_service(self, endpoint: Endpoint, handler: Handler) -> Service: ...

    @abstractmethod
    def _new_client(self, endpoint: Endpoint) -> Client: ...

    @abstractmethod
    def _leave(self) -> None:
        """Leave the domain, when all ends are closed; called once."""

    def _topic(self, topic: str, type_name: str) -> Endpoint:
        endpoint = super()._topic(topic, type_name)
        return Endpoint(self._remapping.topic(endpoint.name), endpoint.type_name)

    def _service(self, service: str, type_name: str) -> Endpoint:
        endpoint = super()._service(service, type_name)
        return Endpoint(self._remapping.service(endpoint.name), endpoint.type_name)

    def _make(self, endpoint: Endpoint, make: Callable[[], _End]) -> _End:
        with self._making:
            self._check_open()
            self._ends = [entry for entry in self._ends if entry[1].is_open]
            for other, _ in self._ends:
                if other.conflicts_with(endpoint):
                    raise TypeConflictError(
                        f"{endpoint.name} is used here with the type {other.type_name}, "
                        f"not {endpoint.type_name}",
                        endpoint.name,
                    )
            end = make()
            self._ends.append((endpoint, end))
            return end

    def _check_open(self) -> None:
        if self._closed:
            raise TransportClosedError(f"the transport of {self._node.full_name} is closed")
