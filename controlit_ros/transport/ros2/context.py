"""What the parts of one node share."""

from dataclasses import dataclass
from threading import RLock

from rclpy.node import Node

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.counters import Counters

from .node_graph import NodeGraph


@dataclass(frozen=True)
class RclpyContext:
    """What publishers, subscriptions, services and clients need of their transport.

    Attributes:
        node: the node of rclpy; no executor ever sees it.
        making: held while something of the node is made or destroyed.
        graph: who else is there.
        counters: behind the health of the transport.
        book: of all types.
    """

    node: Node
    making: RLock
    graph: NodeGraph
    counters: Counters
    book: TypeBook
