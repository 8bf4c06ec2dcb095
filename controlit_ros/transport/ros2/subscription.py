"""A subscription of rclpy."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidHandle
from rclpy.subscription import Subscription

from controlit_ros.interfaces import DecodeError
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.port import Callback, RawCallback
from controlit_ros.transport.present_publisher import is_single_value
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.repeats import Repeats

from .classes import rosidl_class
from .context import RclpyContext
from .match_watch import MatchWatch
from .policies import profile
from .quality_watch import QualityWatch
from .wait_loop import RosWaitLoop, WaitKind

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 50
"""Messages delivered before other subscriptions have their turn."""


class RclpySubscription(End):
    """Receives the messages of one topic as bytes and decodes them; implements `Subscription`."""

    def __init__(
        self,
        endpoint: Endpoint,
        callback: Callback | RawCallback,
        qos: Qos,
        context: RclpyContext,
        loop: RosWaitLoop,
        news: RosWaitLoop,
        *,
        raw: bool = False,
    ) -> None:
        self._callback: Callable[..., None] = callback
        self._raw = raw
        self._qos = qos
        self._context = context
        self._counters = context.counters
        self._book = context.book
        self._loop = loop
        self._class = rosidl_class(endpoint.type_name)
        self._asked = endpoint.name
        self._listening: tuple[Subscription, ...] = ()
        self._repeats: Repeats | None = None
        self._matches: MatchWatch | None = None
        self._last = b""
        self._book.prepare_reading(endpoint.type_name)
        with context.making:
            first = self._listen(qos)
            topic = str(first.topic_name)
            self._quality = QualityWatch(
                topic,
                first.handle,
                qos,
                news,
                sends=False,
                adapt=self._hear_best_effort if qos.adapts else None,
            )
        super().__init__(Endpoint(topic, endpoint.type_name))
        if is_single_value(qos) and not qos.adapts:
            self._matches = MatchWatch(first.handle, news, self._ask_again)
        context.graph.guard_type(self.endpoint)
        loop.add(WaitKind.SUBSCRIPTION, first.handle, self._deliver)

    def close(self) -> None:
        """Stop receiving."""
        with self._context.making:
            if self._closed:
                return
            self._closed = True
            self._quality.close()
            if self._matches is not None:
                self._matches.close()
            for subscription in self._listening:
                self._loop.remove(subscription.handle)
                self._context.node.destroy_subscription(subscription)

    def _listen(self, qos: Qos) -> Subscription:
        subscription = self._context.node.create_subscription(
            self._class,
            self._asked,
            _never_called,
            profile(qos),
            event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False),
            raw=True,
        )
        self._listening += (subscription,)
        return subscription

    def _hear_best_effort(self) -> None:
        """Listen to best-effort publishers, too, beside the reliable ones."""
        with self._context.making:
            if self._closed or self._repeats is not None:
                return
            self._repeats = Repeats()
            second = self._listen(self._qos.best_effort)
            self._loop.add(WaitKind.SUBSCRIPTION, second.handle, self._deliver_others)
        logger.info("%s: hears best-effort publishers, too", self.topic)

    def _ask_again(self) -> None:
        """Have the latched values of the publishers that are left sent once more.

        rclpy does not report the publisher of a message. The value of one that is gone is replaced
        by that of another; if they are the same, nothing has changed.
        """
        with self._context.making:
            if not self._closed and len(self._listening) == 1:
                second = self._listen(self._qos)
                self._loop.add(WaitKind.SUBSCRIPTION, second.handle, self._deliver_again)

    def _deliver_again(self) -> None:
        before = self._last
        self._deliver()  # what is news to both is not old
        for data, _ in self._taken(1):
            if self._last == before != data:
                self._deliver_data(data)
        with self._context.making:
            if not self._closed:
                second = self._listening[1]
                self._listening = self._listening[:1]
                self._loop.remove(second.handle)
                self._context.node.destroy_subscription(second)

    def _deliver(self) -> None:
        for data, stamp in self._taken(0):
            if self._repeats is not None:
                self._repeats.note(stamp, data)
            self._deliver_data(data)

    def _deliver_others(self) -> None:
        """Deliver what comes from best-effort publishers alone."""
        self._deliver()  # so that what both hear counts as delivered
        repeats = self._repeats
        assert repeats is not None
        for data, stamp in self._taken(1):
            if not repeats.has(stamp, data):
                self._deliver_data(data)

    def _taken(self, place: int) -> Iterator[tuple[bytes, int]]:
        """Take messages of one of the subscriptions, with when they were sent [ns]."""
        handle = self._listening[place].handle
        for _ in range(MOST_AT_ONCE):
            if self._closed:
                return
            try:
                with handle:
                    taken = handle.take_message(self._class, True)
            except InvalidHandle:  # closed by another thread just now
                return
            if taken is None:
                return
            yield taken[0], int(taken[1]["source_timestamp"])

    def _deliver_data(self, data: bytes) -> None:
        self._last = data
        try:
            message = data if self._raw else self._book.decode(self.endpoint.type_name, data)
        except DecodeError as error:
            self._counters.add("undecodable")
            logger.warning("%s: dropped a sample: %s", self.topic, error)
            return
        self._counters.add("received")
        try:
            self._callback(*((message, time.time_ns()) if self._raw else (message,)))
        except Exception:
            self._counters.add("callback_errors")
            logger.exception("the callback of %s failed", self.topic)


def _never_called(_: Any) -> None:
    raise TransportError("a subscription of this transport was given to an executor")
