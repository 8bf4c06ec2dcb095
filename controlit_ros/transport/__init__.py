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
from .factory import VARIABLE, available_transports, choose_transport, open_transport
from .graph import Endpoint, Graph, NodeInfo, ServiceInfo, TopicInfo
from .health import Health
from .later import Later
from .port import Client, Handler, Publisher, Service, Subscription, Transport
from .qos import COMMAND, DEFAULT, EVENTS, GOAL, LATCHED, ROSOUT, SENSOR_STATE, Durability, Qos
from .relay import Relay
from .sent import Sent
