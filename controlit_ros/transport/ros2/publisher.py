"""A publisher of rclpy."""

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation

from controlit_ros.interfaces import Message
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.sent import Sent, SentCount

from .classes import rosidl_class
from .context import RclpyContext
from .policies import profile
from .quality_watch import QualityWatch
from .wait_loop import RosWaitLoop


class RclpyPublisher(End):
    """Sends messages of one type on one topic; implements `Publisher`.

    Messages are encoded here and handed over as bytes: no message of rclpy is ever made.
    """

    def __init__(
        self, endpoint: Endpoint, qos: Qos, context: RclpyContext, loop: RosWaitLoop
    ) -> None:
        self._context = context
        self._counters = context.counters
        self._sent = SentCount()
        self._book = context.book
        self._book.prepare_writing(endpoint.type_name)
        with context.making:
            self._publisher = context.node.create_publisher(
                rosidl_class(endpoint.type_name),
                endpoint.name,
                profile(qos),
                event_callbacks=PublisherEventCallbacks(use_default_callbacks=False),
            )
            self._handle = self._publisher.handle
            topic = str(self._publisher.topic_name)
            self._quality = QualityWatch(topic, self._handle, qos, loop, sends=True)
        super().__init__(Endpoint(topic, endpoint.type_name))
        context.graph.guard_type(self.endpoint)

    def publish(self, message: Message) -> None:
        """Send a message (see `Publisher.publish`)."""
        self.publish_raw(self._book.encode(self.endpoint.type_name, message))

    def publish_raw(self, data: bytes | memoryview) -> None:
        """Send an encoded message (see `Publisher.publish_raw`)."""
        try:
            with self._handle:
                self._handle.publish_raw(bytes(data))
        except InvalidHandle as error:
            raise TransportClosedError(f"the publisher of {self.topic} is closed") from error
        except rclpy_implementation.RCLError:
            self._counters.add("unsent")
        else:
            self._sent.add(len(data))

    @property
    def sent(self) -> Sent:
        """What was sent while open."""
        return self._sent.total

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched."""
        try:
            return int(self._publisher.get_subscription_count())
        except InvalidHandle:
            return 0

    def close(self) -> None:
        """Stop publishing."""
        with self._context.making:
            if not self._closed:
                self._closed = True
                self._counters.add("published", self._sent.take().messages)
                self._quality.close()
                self._context.node.destroy_publisher(self._publisher)
