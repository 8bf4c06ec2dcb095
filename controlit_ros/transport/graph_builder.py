"""Puts a `Graph` together from single endpoints."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum

from .graph import Endpoint, Graph, NodeInfo, ServiceInfo, TopicInfo
from .qos import Durability, Qos


class Role(Enum):
    """What an endpoint does; the value is the field of `NodeInfo` it belongs to."""

    PUBLISHER = "publishers"
    SUBSCRIPTION = "subscriptions"
    SERVER = "services"
    CLIENT = "clients"


@dataclass
class GraphBuilder:
    """Collects endpoints and the nodes they belong to."""

    _nodes: dict[tuple[str, str], dict[Role, set[Endpoint]]] = field(default_factory=dict)
    _types: dict[tuple[bool, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    _counts: dict[tuple[Role, str], int] = field(default_factory=lambda: defaultdict(int))
    _offers: dict[str, list[Qos]] = field(default_factory=lambda: defaultdict(list))

    def add_node(self, namespace: str, name: str) -> None:
        """Add a node; it may have no endpoints."""
        self._nodes.setdefault((namespace, name), {role: set() for role in Role})

    def attribute(self, namespace: str, name: str, role: Role, endpoint: Endpoint) -> None:
        """Say that a node added before has the endpoint."""
        self._nodes[namespace, name][role].add(endpoint)

    def add_endpoint(self, role: Role, endpoint: Endpoint, qos: Qos) -> None:
        """Count an endpoint, whether or not its node is known."""
        if role is Role.PUBLISHER:
            self._offers[endpoint.name].append(qos)
        self._types[role in {Role.SERVER, Role.CLIENT}, endpoint.name].add(endpoint.type_name)
        self._counts[role, endpoint.name] += 1

    def build(self, *, is_complete: bool = True) -> Graph:
        """Return what was collected, and whether it is all there is."""
        nodes = [
            NodeInfo(*key, *(tuple(sorted(endpoints[role])) for role in Role))
            for key, endpoints in self._nodes.items()
        ]
        topics, services = [], []
        for (is_service, name), types in self._types.items():
            sorted_types = tuple(sorted(types))
            if is_service:
                counts = self._counts[Role.SERVER, name], self._counts[Role.CLIENT, name]
                services.append(ServiceInfo(name, sorted_types, *counts))
            else:
                counts = self._counts[Role.PUBLISHER, name], self._counts[Role.SUBSCRIPTION, name]
                offers = common_offer(self._offers.get(name, ()))
                topics.append(TopicInfo(name, sorted_types, *counts, *offers))
        return Graph(
            tuple(sorted(nodes)), tuple(sorted(topics)), tuple(sorted(services)), is_complete
        )


def common_offer(offers: Collection[Qos]) -> tuple[bool, bool]:
    """Return whether there are publishers and all are reliable, and whether all are latched."""
    return (
        bool(offers) and all(qos.reliable for qos in offers),
        bool(offers) and all(qos.durability is Durability.TRANSIENT_LOCAL for qos in offers),
    )
