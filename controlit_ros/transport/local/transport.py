"""The transport within one process, for tests and for programs that need no others."""

import os
from typing import TypeVar

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.port import Callback, Handler, RawCallback
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.remapping import Remapping
from controlit_ros.transport.transport_base import TransportBase

from .broker import Broker
from .client import LocalClient
from .part import LocalContext, LocalPart
from .publisher import LocalPublisher
from .service import LocalService
from .subscription import LocalSubscription
from .worker import Worker

_P = TypeVar("_P", bound=LocalPart)


class LocalTransport(TransportBase):
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
        super().__init__(NodeName.of(node_name, namespace), book)
        self._broker = Broker.of(domain or os.environ.get("ROS_DOMAIN_ID") or "0")
        self._context = LocalContext(self._node, self._broker, self._counters, self._book)
        self._remapping = Remapping(self._node)
        self._topics = Worker(f"{node_name} topics")
        self._services = Worker(f"{node_name} services")
        self._broker.join(self._node)

    def graph(self) -> Graph:
        """Return which nodes, topics and services there are."""
        return self._broker.graph()

    def settle(self) -> None:
        """Wait until this node's callbacks have seen every message sent so far.

        For programs in simulated time, where it matters in which cycle a message is there. Not to
        be called from a callback.
        """
        self._topics.settle()

    def _new_publisher(self, endpoint: Endpoint, qos: Qos) -> LocalPublisher:
        return self._joined(LocalPublisher(endpoint, qos, self._context))

    def _new_subscription(
        self, endpoint: Endpoint, callback: Callback | RawCallback, qos: Qos, *, raw: bool
    ) -> LocalSubscription:
        return self._joined(
            LocalSubscription(endpoint, callback, qos, self._context, self._topics, raw=raw)
        )

    def _new_service(self, endpoint: Endpoint, handler: Handler) -> LocalService:
        return self._joined(LocalService(endpoint, handler, self._context, self._services))

    def _new_client(self, endpoint: Endpoint) -> LocalClient:
        return self._joined(LocalClient(endpoint, self._context))

    def _joined(self, part: _P) -> _P:
        self._broker.add(part)
        return part

    def _leave(self) -> None:
        self._broker.leave(self._node)
        self._topics.close()
        self._services.close()
