"""The native transport: a node of rclpy."""

import atexit
from collections.abc import Sequence
from weakref import WeakSet

from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

from controlit_ros.interfaces import TypeBook
from controlit_ros.ros_arguments import NAMESPACE, NODE, process_arguments
from controlit_ros.transport.errors import TransportError
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.transport_base import TransportBase

from .client import RclpyClient
from .context import RclpyContext
from .node_graph import NodeGraph
from .publisher import RclpyPublisher
from .service import RclpyService
from .subscription import RclpySubscription
from .wait_loop import RosWaitLoop


class RclpyTransport(TransportBase):
    """A node of rclpy; implements `Transport`.

    It has a context of its own, so it does not matter whether rclpy is initialised, and three
    threads: one for callbacks of subscriptions, one for handlers of services, and one for
    replies, which runs no code of the user, so a callback may call a service and a handler may
    call another. No executor is involved. The node serves no parameters of rclpy; what has
    parameters serves them itself, over any transport.

    Remappings of topics and services are taken from the command line of the process
    (`--ros-args -r ...`); those of the node's name and namespace by whoever opens it
    (`own_name`), since rclpy would have the namespace replaced.
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
            arguments: with `--ros-args` among them, all of which count; those of the process if
                not given.
            domain_id: from the environment variable ROS_DOMAIN_ID if not given.
            book: types to use; that of the process if not given.

        Raises:
            InvalidNameError: the node's name or namespace breaks the rules.
            TransportError: the arguments mean nothing to ROS 2, or the domain cannot be joined.
        """
        given = NodeName.of(node_name, namespace)
        self._ros = Context()
        try:
            if arguments is None:
                arguments = process_arguments().without_rules_for(NAMESPACE, NODE).words
            self._ros.init(list(arguments), domain_id=domain_id)
            self._rclpy_node = _node(given, self._ros)
        except RuntimeError as error:  # all exceptions of rclpy's C part are such
            self._ros.try_shutdown()
            raise TransportError(f"rclpy: {error}") from error
        # the arguments may have given the node another name
        name = NodeName(self._rclpy_node.get_namespace(), self._rclpy_node.get_name())
        super().__init__(name, book)
        self._internal_loop = RosWaitLoop(self._ros, f"{node_name} replies")
        self._topic_loop = RosWaitLoop(self._ros, f"{node_name} topics")
        self._service_loop = RosWaitLoop(self._ros, f"{node_name} services")
        self._graph = NodeGraph(self._rclpy_node, self._counters)
        self._context = RclpyContext(
            self._rclpy_node, self._making, self._graph, self._counters, self._book
        )
        _open.add(self)

    def gather(self, period: float) -> None:
        """Deliver messages of topics in rounds (see `Transport.gather`)."""
        self._topic_loop.pause = period

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""
        self._check_open()
        return self._graph.graph()

    def health(self) -> Health:
        """Return the counters of the transport."""
        if not self._closed:
            self._graph.check_types()
        return super().health()

    def _new_publisher(self, endpoint: Endpoint, qos: Qos) -> RclpyPublisher:
        return RclpyPublisher(endpoint, qos, self._context, self._internal_loop)

    def _new_subscription(
        self, endpoint: Endpoint, callback: Callback | RawCallback, qos: Qos, *, raw: bool
    ) -> RclpySubscription:
        loops = (self._topic_loop, self._internal_loop)
        return RclpySubscription(endpoint, callback, qos, self._context, *loops, raw=raw)

    def _new_service(self, endpoint: Endpoint, handler: Handler) -> RclpyService:
        return RclpyService(endpoint, handler, self._context, self._service_loop)

    def _new_client(self, endpoint: Endpoint) -> RclpyClient:
        return RclpyClient(endpoint, self._context, self._internal_loop)

    def _leave(self) -> None:
        for loop in (self._topic_loop, self._service_loop, self._internal_loop):
            loop.close()
        self._rclpy_node.destroy_node()
        self._ros.try_shutdown()
        self._ros.destroy()
        _open.discard(self)


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
