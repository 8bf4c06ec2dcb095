"""Who is there and what they exchange."""

from dataclasses import dataclass, field

from .qos import Durability, Qos


@dataclass(frozen=True, order=True)
class Endpoint:
    """A topic or service as one node uses it.

    Attributes:
        name: absolute name of the topic or service.
        type_name: `package/msg/Name` or `package/srv/Name`.
    """

    name: str
    type_name: str

    def conflicts_with(self, other: "Endpoint") -> bool:
        """Whether both are the same topic, or the same service, but with different types."""
        kinds = (endpoint.type_name.split("/")[-2] for endpoint in (self, other))
        is_same = self.name == other.name and next(kinds) == next(kinds)
        return is_same and self.type_name != other.type_name


@dataclass(frozen=True, order=True)
class NodeInfo:
    """A node and what it publishes, subscribes to, serves and calls."""

    namespace: str
    name: str
    publishers: tuple[Endpoint, ...] = ()
    subscriptions: tuple[Endpoint, ...] = ()
    services: tuple[Endpoint, ...] = ()
    clients: tuple[Endpoint, ...] = ()

    @property
    def full_name(self) -> str:
        """Absolute name, `/namespace/name`."""
        return f"{self.namespace.rstrip('/')}/{self.name}"


@dataclass(frozen=True, order=True)
class TopicInfo:
    """A topic; more than one type means that nodes disagree.

    Attributes:
        name: absolute name.
        types: names of its types.
        publisher_count: how many publishers there are.
        subscription_count: how many subscriptions there are.
        is_reliable: there are publishers, and all send lost messages again.
        is_latched: there are publishers, and all keep messages for those who come late.
    """

    name: str
    types: tuple[str, ...]
    publisher_count: int
    subscription_count: int
    is_reliable: bool
    is_latched: bool

    def offered(self, depth: int) -> Qos:
        """Return the best quality that all publishers offer, with a queue of so many messages."""
        durability = Durability.TRANSIENT_LOCAL if self.is_latched else Durability.VOLATILE
        return Qos(reliable=self.is_reliable, durability=durability, depth=depth)


@dataclass(frozen=True, order=True)
class ServiceInfo:
    """A service that at least one node serves or calls."""

    name: str
    types: tuple[str, ...]
    server_count: int
    client_count: int


@dataclass(frozen=True)
class Graph:
    """A snapshot of all nodes, topics and services that are known, each sorted by name.

    Attributes:
        nodes: nodes, this one among them.
        topics: topics of all nodes.
        services: services of all nodes.
        is_complete: whether everything is known that the nodes said of themselves; false for a
            moment while nodes appear. Makes no difference between graphs.
    """

    nodes: tuple[NodeInfo, ...] = ()
    topics: tuple[TopicInfo, ...] = ()
    services: tuple[ServiceInfo, ...] = ()
    is_complete: bool = field(default=True, compare=False)

    def node(self, full_name: str) -> NodeInfo | None:
        """Return the node of that absolute name, or None."""
        return next((node for node in self.nodes if node.full_name == full_name), None)

    def topic(self, name: str) -> TopicInfo | None:
        """Return the topic of that absolute name, or None."""
        return next((topic for topic in self.topics if topic.name == name), None)

    def service(self, name: str) -> ServiceInfo | None:
        """Return the service of that absolute name, or None."""
        return next((service for service in self.services if service.name == name), None)

    @property
    def served(self) -> tuple[str, ...]:
        """Names of the services that have a server."""
        return tuple(service.name for service in self.services if service.server_count)
