"""Brings together the local transports of one domain."""

from collections.abc import Callable
from itertools import chain
from threading import Condition
from typing import ClassVar, Protocol

from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.graph_builder import GraphBuilder, Role
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.qos import Qos


class LocalEndpoint(Protocol):
    """What the broker knows of a publisher, subscription, service or client."""

    node: NodeName
    role: Role
    endpoint: Endpoint
    qos: Qos

    def on_change(self) -> None:
        """Hear that endpoints of the same name came or went; the broker's lock is held."""


class Broker:
    """All nodes and endpoints of one domain of this process.

    `lock` guards them; it is a condition that is notified at every change.
    """

    _domains: ClassVar[dict[str, "Broker"]] = {}

    def __init__(self) -> None:
        self.lock = Condition()
        self._nodes: list[NodeName] = []
        self._endpoints: dict[str, list[LocalEndpoint]] = {}  # by name of topic or service

    @classmethod
    def of(cls, domain: str) -> "Broker":
        """Return the broker that all transports of a domain share."""
        return cls._domains.setdefault(domain, cls())

    def join(self, node: NodeName) -> None:
        """Add a node."""
        with self.lock:
            self._nodes.append(node)
            self.lock.notify_all()

    def leave(self, node: NodeName) -> None:
        """Remove a node."""
        with self.lock:
            self._nodes.remove(node)
            self.lock.notify_all()

    def add(self, endpoint: LocalEndpoint) -> None:
        """Add an endpoint and tell those of its name."""
        with self.lock:
            self._endpoints.setdefault(endpoint.endpoint.name, []).append(endpoint)
            self._tell(endpoint.endpoint.name)

    def remove(self, endpoint: LocalEndpoint) -> None:
        """Remove an endpoint and tell those of its name; nothing happens when it is not there."""
        name = endpoint.endpoint.name
        with self.lock:
            if endpoint in self._endpoints.get(name, ()):
                self._endpoints[name].remove(endpoint)
                self._tell(name)
                if not self._endpoints[name]:
                    del self._endpoints[name]

    def find(self, role: Role, name: str) -> list[LocalEndpoint]:
        """Return the endpoints of a role on a topic or service, whatever their type."""
        with self.lock:
            return [other for other in self._endpoints.get(name, ()) if other.role is role]

    def wait_for(self, predicate: Callable[[], bool], timeout: float) -> bool:
        """Wait until `predicate` holds, which is tried again at every change."""
        with self.lock:
            return self.lock.wait_for(predicate, timeout)

    def graph(self) -> Graph:
        """Return all nodes and endpoints."""
        builder = GraphBuilder()
        with self.lock:
            for node in self._nodes:
                builder.add_node(node.namespace, node.name)
            for part in chain.from_iterable(self._endpoints.values()):
                builder.attribute(part.node.namespace, part.node.name, part.role, part.endpoint)
                builder.add_endpoint(part.role, part.endpoint, part.qos)
        return builder.build()

    def _tell(self, name: str) -> None:
        for endpoint in self._endpoints[name]:
            endpoint.on_change()
        self.lock.notify_all()
