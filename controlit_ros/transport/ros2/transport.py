"""The native transport: a node of rclpy."""

import atexit
from collections.abc import Callable, Sequence
from threading import RLock
from typing import TypeVar
from weakref import WeakSet

from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

from controlit_ros.interfaces import TypeBook, type_book
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import (
    TransportClosedError,
    TransportError,
    TypeConflictError,
)
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.node_base import NodeBase
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import DEFAULT, Qos

from .client import RclpyClient
from .context import RclpyContext
from .node_graph import NodeGraph
from .publisher import RclpyPublisher
from .service import RclpyService
from .subscription import RclpySubscription
from .wait_loop import RosWaitLoop

_End = TypeVar("_End", bound=End)


class RclpyTransport(NodeBase):
    """A node of rclpy; implements `Transport`.

    It has a context of its own, so it does not matter whether rclpy is initialised, and three
    threads: one for callbacks of subscriptions, one for handlers of services, and one for
    replies, which runs no code of the user, so a callback may call a service and a handler may
    call another. No executor is involved. The node serves no parameters of rclpy; what has
    parameters serves them itself, over any transport.

    Remappings, also of the node's name and namespace, are taken from the command line of the
    process (`--ros-args -r ...`).
    """

    def __init__(
        self,
        node_name: str,
        namespace: str = "/",
        *,
        arguments: Sequence[str] | None = None,
        domain_id: int | None = None,
        book: TypeBook | None = None,
    ) -> None:
        """Join the domain.

        Args:
            node_name: one token.
            namespace: of the node; relative names are resolved in it.
            arguments: with `--ros-args` among them; those of the process if not given.
            domain_id: from the environment variable ROS_DOMAIN_ID if not given.
            book: types to use; that of the process if not given.

        Raises:
            InvalidNameError: the node's name or namespace breaks the rules.
            TransportError: the arguments mean nothing to ROS 2, or the domain cannot be joined.
        """
        given = NodeName.of(node_name, namespace)
        self._making = RLock()
        self._parts: list[tuple[Endpoint, End]] = []
        self._closed = False
        self._counters = Counters()
        self._ros = Context()
        try:
            self._ros.init(None if arguments is None else list(arguments), domain_id=domain_id)
            self._rclpy_node = _node(given, self._ros)
        except RuntimeError as error:  # all exceptions of rclpy's C part are such
            self._ros.try_shutdown()
            raise TransportError(f"rclpy: {error}") from error
        # the arguments may have given the node another name
        name = NodeName(self._rclpy_node.get_namespace(), self._rclpy_node.get_name())
        super().__init__(name, type_book() if book is None else book)
        self._internal_loop = RosWaitLoop(self._ros, f"{node_name} replies")
        self._topic_loop = RosWaitLoop(self._ros, f"{node_name} topics")
        self._service_loop = RosWaitLoop(self._ros, f"{node_name} services")
        self._graph = NodeGraph(self._rclpy_node, self._counters)
        self._context = RclpyContext(
            self._rclpy_node, self._making, self._graph, self._counters, self._book
        )
        _open.add(self)

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> RclpyPublisher:
        """Return a new publisher (see `Transport.publisher`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(endpoint, lambda: RclpyPublisher(endpoint, qos, self._context))

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> RclpySubscription:
        """Call `callback` with every message of the topic (see `Transport.subscribe`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(
            endpoint,
            lambda: RclpySubscription(endpoint, callback, qos, self._context, self._topic_loop),
        )

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> RclpySubscription:
        """Hand on every message as bytes (see `Transport.subscribe_raw`)."""
        endpoint = self._topic(topic, type_name)
        return self._make(
            endpoint,
            lambda: RclpySubscription(
                endpoint, callback, qos, self._context, self._topic_loop, raw=True
            ),
        )

    def serve(self, service: str, type_name: str, handler: Handler) -> RclpyService:
        """Answer calls of a service with `handler` (see `Transport.serve`)."""
        endpoint = self._service(service, type_name)
        return self._make(
            endpoint,
            lambda: RclpyService(endpoint, handler, self._context, self._service_loop),
        )

    def client(self, service: str, type_name: str) -> RclpyClient:
        """Return a client of a service (see `Transport.client`)."""
        endpoint = self._service(service, type_name)
        return self._make(
            endpoint, lambda: RclpyClient(endpoint, self._context, self._internal_loop)
        )

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""
        self._check_open()
        return self._graph.graph()

    def health(self) -> Health:
        """Return the counters of the transport."""
        if not self._closed:
            self._graph.check_types()
        return self._counters.health()

    def close(self) -> None:
        """Close everything that was made here and leave the domain."""
        with self._making:
            if self._closed:
                return
            self._closed = True
            parts, self._parts = self._parts, []
        for _, part in parts:
            part.close()
        for loop in (self._topic_loop, self._service_loop, self._internal_loop):
            loop.close()
        self._rclpy_node.destroy_node()
        self._ros.try_shutdown()
        self._ros.destroy()
        _open.discard(self)

    def _make(self, endpoint: Endpoint, make: Callable[[], _End]) -> _End:
        with self._making:
            self._check_open()
            self._parts = [entry for entry in self._parts if entry[1].is_open]
            for other, _ in self._parts:
                if other.name == endpoint.name and other.type_name != endpoint.type_name:
                    raise TypeConflictError(
                        f"{endpoint.name} is used with the type {other.type_name} here, "
                        f"it cannot have {endpoint.type_name} too"
                    )
            part = make()
            self._parts.append((endpoint, part))
            return part

    def _check_open(self) -> None:
        if self._closed:
            raise TransportClosedError(f"the transport of {self._node.full_name} is closed")


def _node(name: NodeName, context: Context) -> Node:
    return Node(
        name.name,
        namespace=name.namespace,
        context=context,
        start_parameter_services=False,
        parameter_overrides=[Parameter("start_type_description_service", value=False)],
    )


_open: WeakSet[RclpyTransport] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Close what is open: threads of rclpy must not call into an interpreter that ends."""
    for transport in list(_open):
        transport.close()
