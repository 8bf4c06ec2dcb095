"""The port: what a node can ask of a transport, whichever it is."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from controlit_ros.interfaces import Message

from .graph import Graph
from .health import Health
from .later import Later
from .qos import DEFAULT, Qos

Callback: TypeAlias = Callable[[Message], None]
"""Takes a message that came in; runs on a thread of the transport."""

RawCallback: TypeAlias = Callable[[bytes, int], None]
"""Takes an encoded message that came in, and when it was sent, in ns since 1970, or when it came
where the middleware does not tell; runs on a thread of the transport."""

Handler: TypeAlias = Callable[[Message], Message | Later]
"""Takes the request of a service call and returns the response, or a `Later` that gives it to the
caller when it is known; runs on a thread of its own."""


class Publisher(Protocol):
    """Sends messages of one type on one topic."""

    @property
    def topic(self) -> str:
        """Absolute name of the topic."""

    @property
    def type_name(self) -> str:
        """Name of the message type."""

    def publish(self, message: Message) -> None:
        """Send a message; callable from any thread.

        Takes microseconds, and never longer than 10 ms: when subscriptions are slow, messages are
        dropped and counted, not waited for. A control loop hands its messages to a thread that
        calls this.

        Raises:
            FieldError: the message is not of the publisher's type or holds a value that does
                not fit.
            TransportClosedError: the publisher is closed.
        """

    def publish_raw(self, data: bytes | memoryview) -> None:
        """Send a message that is encoded already: CDR with its header; see `publish`.

        For those who forward messages, or encode many that are alike. Nothing checks that the bytes
        are of the type. They are copied before this returns.

        Raises:
            TransportClosedError: the publisher is closed.
        """

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched; costs as much as reading an attribute."""

    def close(self) -> None:
        """Stop publishing; calling it again does nothing."""


class Subscription(Protocol):
    """Receives the messages of one topic."""

    @property
    def topic(self) -> str:
        """Absolute name of the topic."""

    @property
    def type_name(self) -> str:
        """Name of the message type."""

    def close(self) -> None:
        """Stop receiving; a callback that is running finishes. Idempotent."""


class Service(Protocol):
    """Answers calls."""

    @property
    def name(self) -> str:
        """Absolute name of the service."""

    @property
    def type_name(self) -> str:
        """Name of the service type."""

    def close(self) -> None:
        """Stop answering; a handler that is running finishes. Idempotent."""


class Client(Protocol):
    """Calls a service."""

    @property
    def name(self) -> str:
        """Absolute name of the service."""

    @property
    def type_name(self) -> str:
        """Name of the service type."""

    def call(self, request: Message, timeout: float = 5.0) -> Message:
        """Send a request and return the response; callable from any thread, also from callbacks.

        Args:
            request: message of the service's request type.
            timeout: how long to wait for the service and its answer together [s].

        Raises:
            ServiceTimeoutError: there is no such service, or no answer came.
            FieldError: the request is not of the service's request type.
            TransportClosedError: the client is closed.
        """

    def wait_for_service(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds and return whether the service is there."""

    def close(self) -> None:
        """Stop calling; calls under way raise `TransportClosedError`. Idempotent."""


class Transport(Protocol):
    """A node's access to topics, services and the graph.

    Names are absolute (`/a/b`), relative to the namespace (`b`) or below the node (`~/b`).
    Callbacks of all subscriptions run one after the other on one thread, handlers of services on
    another. A context manager: leaving it closes the transport.
    """

    @property
    def node_name(self) -> str:
        """Name of the node, without namespace."""

    @property
    def namespace(self) -> str:
        """Absolute namespace of the node, `/` for none."""

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> Publisher:
        """Return a new publisher.

        Raises:
            InvalidNameError: the topic's name breaks the rules.
            UnknownTypeError: there is no such message type.
            TypeConflictError: this node uses the topic with another type.
            TransportClosedError: the transport is closed.
        """

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Call `callback` with every message of the topic; raises as `publisher` does.

        An exception from the callback is logged and counted. Samples that are no messages of
        the type are counted and dropped.
        """

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Do as `subscribe`, but hand on the bytes as they came.

        They are CDR with its header, perhaps padded at the end. For those who keep or forward
        messages; nothing checks that they are of the type.
        """

    def serve(self, service: str, type_name: str, handler: Handler) -> Service:
        """Answer calls of a service with `handler`; raises as `publisher` does.

        An exception from the handler, or a response of the wrong type, is logged and counted;
        the caller gets no answer.
        """

    def client(self, service: str, type_name: str) -> Client:
        """Return a client of a service; raises as `publisher` does."""

    def gather(self, period: float) -> None:
        """Deliver messages of topics in rounds, at least so long apart [s]; 0: as they come.

        For who looks now and then: to be woken by each of hundreds of messages a second costs more
        than the messages. Of what comes between two rounds a topic keeps as many as its depth.
        Within one process, where nobody is woken by others, it means nothing.
        """

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known now."""

    def health(self) -> Health:
        """Return the counters of the transport."""

    def close(self) -> None:
        """Close everything that was made here; fast and idempotent."""

    def __enter__(self) -> "Transport":  # noqa: PYI034 (typing.Self needs Python 3.11)
        """Return the transport itself."""

    def __exit__(self, *_error: object) -> None:
        """Close the transport."""
