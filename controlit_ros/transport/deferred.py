"""DeferredTransport: a node that is put together before its transport is opened."""

from collections.abc import Callable
from typing import Generic, TypeVar

from controlit_ros.interfaces import Message, type_book
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportClosedError, TypeConflictError
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.health import Health
from controlit_ros.transport.later import Later
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.node_base import NodeBase
from controlit_ros.transport.port import (
    Callback,
    Client,
    Handler,
    Publisher,
    RawCallback,
    Service,
    Subscription,
    Transport,
)
from controlit_ros.transport.qos import DEFAULT, Qos
from controlit_ros.transport.qos_overrides import PUBLISHER, SUBSCRIPTION, QosOverrides

_Target = TypeVar("_Target", bound=Publisher | Subscription | Service)


class DeferredTransport(NodeBase):
    """Remembers what a node publishes, subscribes and serves; implements `Transport`.

    A transport has threads, and a process that will fork must not have any. With `open` all that
    was asked for is made on a real transport; messages published before are sent then. Names that
    break the rules and topics of two types are refused before.

    Args:
        node_name: One token.
        namespace: Of the node.
        before_answering: Called before each handler of a service.
        qos: What a user chose instead of the quality the program asks for.
    """

    def __init__(
        self,
        node_name: str,
        namespace: str = "/",
        *,
        before_answering: Callable[[], None] | None = None,
        qos: QosOverrides | None = None,
    ) -> None:
        super().__init__(NodeName.of(node_name, namespace), type_book())
        self.before_answering = before_answering
        self.qos = QosOverrides({}) if qos is None else qos
        self._types: dict[tuple[str, bool], str] = {}
        self._steps: list[Callable[[Transport], None]] = []
        self._target: Transport | None = None

    def open(self, transport: Transport) -> None:
        """Make everything on a transport, which belongs to this one from now on.

        Raises:
            TransportError: The transport refuses something.
        """
        self._target = transport
        steps, self._steps = self._steps, []
        for step in steps:
            step(transport)

    def publisher(self, topic: str, type_name: str, qos: Qos = DEFAULT) -> Publisher:
        """Return a new publisher (see `Transport.publisher`)."""
        part = _DeferredPublisher(self._topic(topic, type_name))
        qos = self.qos.of(part.topic, PUBLISHER, qos)
        self._do(lambda target: part.open(target.publisher(topic, type_name, qos)))
        return part

    def subscribe(
        self, topic: str, type_name: str, callback: Callback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Call `callback` with every message of the topic (see `Transport.subscribe`)."""
        part = _DeferredEnd[Subscription](self._topic(topic, type_name))
        qos = self.qos.of(part.topic, SUBSCRIPTION, qos)
        self._do(lambda target: part.open(target.subscribe(topic, type_name, callback, qos)))
        return part

    def subscribe_raw(
        self, topic: str, type_name: str, callback: RawCallback, qos: Qos = DEFAULT
    ) -> Subscription:
        """Hand on every message as bytes (see `Transport.subscribe_raw`)."""
        part = _DeferredEnd[Subscription](self._topic(topic, type_name))
        qos = self.qos.of(part.topic, SUBSCRIPTION, qos)
        self._do(lambda target: part.open(target.subscribe_raw(topic, type_name, callback, qos)))
        return part

    def serve(self, service: str, type_name: str, handler: Handler) -> Service:
        """Answer calls of a service with `handler` (see `Transport.serve`)."""
        part = _DeferredEnd[Service](self._service(service, type_name))
        prepare = self.before_answering

        def answer(request: Message) -> Message | Later:
            if prepare is not None:
                prepare()
            return handler(request)

        self._do(lambda target: part.open(target.serve(service, type_name, answer)))
        return part

    def client(self, service: str, type_name: str) -> Client:
        """Return a client of a service; only once the transport is open."""
        return self._opened().client(service, type_name)

    def gather(self, period: float) -> None:
        """Deliver messages of topics in rounds (see `Transport.gather`)."""
        self._do(lambda target: target.gather(period))

    def graph(self) -> Graph:
        """Return which nodes, topics and services are known; only once the transport is open."""
        return self._opened().graph()

    def health(self) -> Health:
        """Return the counters of the transport, zeros before it is open."""
        return Counters().health() if self._target is None else self._target.health()

    def close(self) -> None:
        """Close the transport, if it was opened."""
        self._steps.clear()
        if self._target is not None:
            self._target.close()

    def _topic(self, topic: str, type_name: str) -> Endpoint:
        return self._consistent(super()._topic(topic, type_name), is_service=False)

    def _service(self, service: str, type_name: str) -> Endpoint:
        return self._consistent(super()._service(service, type_name), is_service=True)

    def _consistent(self, endpoint: Endpoint, *, is_service: bool) -> Endpoint:
        """Refuse at once what the real transport would refuse later, when others have forked."""
        if self._target is not None:
            return endpoint
        known = self._types.setdefault((endpoint.name, is_service), endpoint.type_name)
        if known != endpoint.type_name:
            raise TypeConflictError(
                f"{endpoint.name} is used here with the type {known}, not {endpoint.type_name}",
                endpoint.name,
            )
        return endpoint

    def _do(self, step: Callable[[Transport], None]) -> None:
        if self._target is None:
            self._steps.append(step)
        else:
            step(self._target)

    def _opened(self) -> Transport:
        if self._target is None:
            raise TransportClosedError(f"the transport of {self._node.full_name} is not open yet")
        return self._target


class _DeferredEnd(End, Generic[_Target]):
    """Stands for an end of a topic or service until that is made, and closes it."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._target: _Target | None = None

    def open(self, target: _Target) -> None:
        """Take over the real end."""
        self._target = target

    def close(self) -> None:
        """Close the real end, if there is one."""
        self._closed = True
        if self._target is not None:
            self._target.close()


class _DeferredPublisher(_DeferredEnd[Publisher]):
    """Keeps messages until there is a publisher; few are published before."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._waiting: list[Callable[[Publisher], None]] = []

    def open(self, target: Publisher) -> None:
        """Publish by a real publisher from now on."""
        super().open(target)
        waiting, self._waiting = self._waiting, []
        for send in waiting:
            send(target)
        # rows are sent thousands of times a second: from now on without this class between
        self.publish_raw = target.publish_raw  # type: ignore[method-assign]

    def publish(self, message: Message) -> None:
        """Send a message, now or when there is a publisher."""
        if self._target is None:
            self._waiting.append(lambda target: target.publish(message))
        else:
            self._target.publish(message)

    def publish_raw(self, data: bytes | memoryview) -> None:
        """Send an encoded message, now or when there is a publisher."""
        if self._target is None:
            kept = bytes(data)
            self._waiting.append(lambda target: target.publish_raw(kept))
        else:
            self._target.publish_raw(data)

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched."""
        return 0 if self._target is None else self._target.subscriber_count()
