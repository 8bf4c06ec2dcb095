"""The topic `/clock`: simulated time, from those who make it to those who run in it."""

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import Message, new
from controlit_ros.servo.time_source import FedTime
from controlit_ros.transport import SENSOR_STATE, Transport

TOPIC = "/clock"
TYPE = "rosgraph_msgs/msg/Clock"
QUALITY = SENSOR_STATE  # only the newest time counts; nodes of ROS 2 ask for no more


def follow_clock(transport: Transport, feed: FedTime) -> None:
    """Tell a feed every time that is published on `/clock`."""

    def receive(message: Message) -> None:
        feed.tell(message.clock.sec + 1e-9 * message.clock.nanosec)

    transport.subscribe(TOPIC, TYPE, receive, QUALITY)


class ClockTopic:
    """Publishes `/clock` while somebody listens.

    Args:
        transport: Where to publish.
    """

    def __init__(self, transport: Transport) -> None:
        self._publisher = transport.publisher(TOPIC, TYPE, QUALITY)

    def tell(self, now: float) -> None:
        """Publish a simulated time [s]."""
        if self._publisher.subscriber_count():
            self._publisher.publish(new(TYPE, clock=time_fields(now)))
