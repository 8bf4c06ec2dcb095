"""A subscription of rclpy."""

import logging
import time
from collections.abc import Callable
from typing import Any

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidHandle

from controlit_ros.interfaces import DecodeError
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.port import Callback, RawCallback
from controlit_ros.transport.qos import Qos

from .classes import rosidl_class
from .context import RclpyContext
from .policies import profile
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
        *,
        raw: bool = False,
    ) -> None:
        self._callback: Callable[..., None] = callback
        self._raw = raw
        self._context = context
        self._counters = context.counters
        self._book = context.book
        self._loop = loop
        self._class = rosidl_class(endpoint.type_name)
        self._book.warm_up(endpoint.type_name)
        with context.making:
            self._subscription = context.node.create_subscription(
                self._class,
                endpoint.name,
                _never_called,
                profile(qos),
                event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False),
                raw=True,
            )
            self._handle = self._subscription.handle
            topic = str(self._subscription.topic_name)
        super().__init__(Endpoint(topic, endpoint.type_name))
        context.graph.guard_type(self.endpoint)
        loop.add(WaitKind.SUBSCRIPTION, self._handle, self._deliver)

    def close(self) -> None:
        """Stop receiving."""
        with self._context.making:
            if not self._closed:
                self._closed = True
                self._loop.remove(self._handle)
                self._context.node.destroy_subscription(self._subscription)

    def _deliver(self) -> None:
        for _ in range(MOST_AT_ONCE):
            if self._closed:
                return
            try:
                with self._handle:
                    taken = self._handle.take_message(self._class, True)
            except InvalidHandle:  # closed by another thread just now
                return
            if taken is None:
                return
            self._deliver_data(taken[0])

    def _deliver_data(self, data: bytes) -> None:
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
