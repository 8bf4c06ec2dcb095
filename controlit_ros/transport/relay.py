"""Relay: lets the nodes of one transport be reached over another."""

import contextlib
import threading
from collections.abc import Callable

from controlit_ros.interfaces import Message
from controlit_ros.running_thread import running_thread

from .errors import TransportError
from .graph import ServiceInfo, TopicInfo
from .port import Service, Subscription, Transport
from .qos import DEFAULT, Qos

LOOK = 0.25  # [s] between two looks who is there
ANSWER_TIME = 30.0  # [s] for the answer to a call; who calls gives up before


class Relay:
    """Shows what is on one transport on another as well; a context manager.

    Topics that are published inside go out while somebody outside listens, those that are only
    listened to inside come in, and services are answered. A topic goes one way: out, if anybody
    publishes it inside.

    Args:
        inner: A node of its own among those that are shown.
        outer: A node of its own where they are shown.
    """

    def __init__(self, inner: Transport, outer: Transport) -> None:
        self._inner, self._outer = inner, outer
        self._outlets: dict[str, _Passage] = {}
        self._inlets: dict[str, _Passage] = {}
        self._services: dict[str, Service] = {}
        self._is_over = threading.Event()

    def look(self) -> None:
        """Take note of who came, went, and listens now."""
        graph = self._inner.graph()
        for topic in graph.topics:
            known = topic.name in self._outlets or topic.name in self._inlets
            if not known and len(topic.types) == 1:
                self._add(topic)
        for service in graph.services:
            is_new = service.name not in self._services
            if is_new and service.server_count and len(service.types) == 1:
                self._services[service.name] = self._answering(service)
        for passage in (*self._outlets.values(), *self._inlets.values()):
            passage.look()

    def __enter__(self) -> "Relay":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.look()
        self._thread = running_thread(self._go_on, "relay")
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._thread.join()
        for passage in (*self._outlets.values(), *self._inlets.values()):
            passage.close()
        for service in self._services.values():
            service.close()

    def _go_on(self) -> None:
        while not self._is_over.wait(LOOK):
            with contextlib.suppress(TransportError):  # one of them is closed: nothing is shown
                self.look()

    def _add(self, topic: TopicInfo) -> None:
        if topic.publisher_count:
            qos = topic.offered(1 if topic.is_latched else DEFAULT.depth)
            self._outlets[topic.name] = _Passage(self._inner, self._outer, topic, qos)
        elif topic.subscription_count:
            qos = Qos(adapts=True)
            self._inlets[topic.name] = _Passage(self._outer, self._inner, topic, qos)

    def _answering(self, service: ServiceInfo) -> Service:
        client = self._inner.client(service.name, service.types[0])

        def answer(request: Message) -> Message:
            return client.call(request, ANSWER_TIME)

        return self._outer.serve(service.name, service.types[0], answer)


class _Passage:
    """A topic from one transport to another: listened to as long as somebody listens beyond."""

    def __init__(self, source: Transport, sink: Transport, topic: TopicInfo, qos: Qos) -> None:
        self._publisher = sink.publisher(topic.name, topic.types[0], qos)
        self._listen: Callable[[], Subscription] = lambda: source.subscribe(
            topic.name, topic.types[0], self._publisher.publish, qos
        )
        self._subscription: Subscription | None = None

    def look(self) -> None:
        """Listen if somebody listens beyond, and else no more."""
        is_wanted = self._publisher.subscriber_count() > 0
        if is_wanted and self._subscription is None:
            self._subscription = self._listen()
        elif not is_wanted and self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    def close(self) -> None:
        """End it."""
        if self._subscription is not None:
            self._subscription.close()
        self._publisher.close()
