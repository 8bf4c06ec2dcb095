"""Topics, services and the graph, whatever carries them.

`open_transport("node")` gives a node its `Transport`; node code knows nothing else of the
middleware.
"""

from .deferred import DeferredTransport
from .errors import (
    InvalidNameError,
    ServiceTimeoutError,
    TransportClosedError,
    TransportError,
    TypeConflictError,
)
from .factory import VARIABLE, Choice, available_transports, choose_transport, open_transport
from .graph import Endpoint, Graph, NodeInfo, ServiceInfo, TopicInfo
from .health import Health
from .names import NodeName
from .port import Callback, Client, Handler, Publisher, Service, Subscription, Transport
from .qos import COMMAND, DEFAULT, EVENTS, LATCHED, SENSOR_STATE, Durability, Qos

__all__ = [
    "COMMAND",
    "DEFAULT",
    "EVENTS",
    "LATCHED",
    "SENSOR_STATE",
    "VARIABLE",
    "Callback",
    "Choice",
    "Client",
    "DeferredTransport",
    "Durability",
    "Endpoint",
    "Graph",
    "Handler",
    "Health",
    "InvalidNameError",
    "NodeInfo",
    "NodeName",
    "Publisher",
    "Qos",
    "Service",
    "ServiceInfo",
    "ServiceTimeoutError",
    "Subscription",
    "TopicInfo",
    "Transport",
    "TransportClosedError",
    "TransportError",
    "TypeConflictError",
    "available_transports",
    "choose_transport",
    "open_transport",
]
