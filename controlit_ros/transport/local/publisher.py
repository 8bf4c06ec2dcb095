"""A publisher within the process."""

from collections import deque

from controlit_ros.interfaces import Message
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.qos import Durability, Qos
from controlit_ros.transport.sent import Sent, SentCount

from .part import LocalContext, LocalPart
from .subscription import LocalSubscription


class LocalPublisher(LocalPart):
    """Sends messages of one type on one topic; implements `Publisher`."""

    role = Role.PUBLISHER

    def __init__(self, endpoint: Endpoint, qos: Qos, context: LocalContext) -> None:
        super().__init__(endpoint, context, qos)
        latched = qos.durability is Durability.TRANSIENT_LOCAL
        self._kept: deque[bytes] = deque(maxlen=qos.depth if latched else 0)
        self._sent = SentCount()
        self._targets: tuple[LocalSubscription, ...] = ()

    def publish(self, message: Message) -> None:
        """Send a message (see `Publisher.publish`)."""
        self._check_open()
        self._send(self._context.book.encode(self.type_name, message))

    def publish_raw(self, data: bytes | memoryview) -> None:
        """Send an encoded message (see `Publisher.publish_raw`)."""
        self._check_open()
        self._send(bytes(data))

    @property
    def sent(self) -> Sent:
        """What was sent while open."""
        return self._sent.total

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched."""
        return len(self._targets)

    def on_change(self) -> None:
        """Match subscriptions; those that come late get what is kept for them."""
        super().on_change()
        targets = tuple(
            other
            for other in self._context.broker.find(Role.SUBSCRIPTION, self.topic)
            if isinstance(other, LocalSubscription)
            and other.type_name == self.type_name
            and self.qos.satisfies(other.qos)
        )
        for target in targets:
            if target not in self._targets and target.qos.durability is self.qos.durability:
                for sample in self._kept:
                    target.offer(sample, self)
        self._targets = targets

    def close(self) -> None:
        """Stop publishing."""
        super().close()
        self._context.counters.add("published", self._sent.take().messages)
        self._targets = ()

    def _send(self, sample: bytes) -> None:
        with self._context.broker.lock:
            self._kept.append(sample)
            for target in self._targets:
                target.offer(sample, self)
        self._sent.add(len(sample))
