"""The graph as rclpy tells it."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node

from controlit_ros.transport.counters import Counters
from controlit_ros.transport.graph import Endpoint, Graph, NodeInfo, ServiceInfo, TopicInfo
from controlit_ros.transport.graph_builder import common_offer

from .policies import qos_of

CHECK_PERIOD = 0.1
"""How often types are compared at most [s]; asking rclpy costs tenths of a millisecond."""


class NodeGraph:
    """Nodes, topics and services that rclpy knows, and whether they agree with ours on types."""

    def __init__(self, node: Node, counters: Counters) -> None:
        self._node = node
        self._counters = counters
        self._lock = Lock()
        self._own_topics: dict[str, str] = {}
        self._checked = 0.0

    def guard_type(self, endpoint: Endpoint) -> None:
        """Report other nodes' endpoints that use this topic with another type."""
        with self._lock:
            self._own_topics[endpoint.name] = endpoint.type_name
            self._checked = 0.0

    def check_types(self) -> None:
        """Look for other types on our topics, unless that was done a moment ago."""
        now = time.monotonic()
        with self._lock:
            if now < self._checked + CHECK_PERIOD:
                return
            self._checked = now
            expected = dict(self._own_topics)
        for name, types in self._node.get_topic_names_and_types():
            for found in types:
                if found != expected.get(name, found):
                    self._counters.add_conflict(
                        f"{name}: another node uses {found}, this one {expected[name]}"
                    )

    def graph(self) -> Graph:
        """Return what is known now."""
        node = self._node
        nodes = {
            NodeInfo(namespace, name, *(self._used(ask, name, namespace) for ask in self._asks))
            for name, namespace in node.get_node_names_and_namespaces()
        }
        topics = [
            self._topic(name, tuple(sorted(types)))
            for name, types in node.get_topic_names_and_types()
        ]
        services = [
            ServiceInfo(
                name, tuple(sorted(types)), node.count_services(name), node.count_clients(name)
            )
            for name, types in node.get_service_names_and_types()
        ]
        return Graph(tuple(sorted(nodes)), tuple(sorted(topics)), tuple(sorted(services)))

    def _topic(self, name: str, types: tuple[str, ...]) -> TopicInfo:
        offers = [
            qos_of(info.qos_profile) for info in self._node.get_publishers_info_by_topic(name)
        ]
        subscriptions = self._node.count_subscribers(name)
        return TopicInfo(name, types, len(offers), subscriptions, *common_offer(offers))

    @property
    def _asks(self) -> tuple[Callable[[str, str], Any], ...]:
        node = self._node
        return (
            node.get_publisher_names_and_types_by_node,
            node.get_subscriber_names_and_types_by_node,
            node.get_service_names_and_types_by_node,
            node.get_client_names_and_types_by_node,
        )

    def _used(
        self, ask: Callable[[str, str], Any], name: str, namespace: str
    ) -> tuple[Endpoint, ...]:
        try:
            found = ask(name, namespace)
        except rclpy_implementation.NodeNameNonExistentError:  # it left just now
            return ()
        return tuple(sorted(Endpoint(used, kind) for used, kinds in found for kind in kinds))
