"""A publisher on DDS."""

from threading import Lock

from cyclonedds._clayer import ddspy_write
from cyclonedds.core import DDSStatus

from controlit_ros.interfaces import Message
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.sent import Sent, SentCount

from .context import DdsContext
from .end import DdsEnd
from .mangling import topic_name
from .wait_loop import DdsWaitLoop

WORD = 4  # [bytes] what the length of a sample is a multiple of


class DdsPublisher(DdsEnd):
    """Sends messages of one type on one topic; implements `Publisher`."""

    def __init__(
        self,
        endpoint: Endpoint,
        qos: Qos,
        context: DdsContext,
        loop: DdsWaitLoop,
    ) -> None:
        super().__init__(endpoint, context, loop)
        self._sent = SentCount()
        self._subscribers = 0
        self._counting = Lock()
        self._writer = self._new_writer(topic_name(endpoint.name), endpoint.type_name, qos)
        self._reference: int = self._writer._ref  # noqa: SLF001 (the library has no public name for it)
        self._writer.set_status_mask(DDSStatus.PublicationMatched)
        loop.add(self._writer, self._count_subscribers)
        self._count_subscribers()
        self._announce(self._writer)

    def publish(self, message: Message) -> None:
        """Send a message (see `Publisher.publish`)."""
        self.publish_raw(self._book.encode(self.endpoint.type_name, message))

    def publish_raw(self, data: bytes | memoryview) -> None:
        """Send an encoded message (see `Publisher.publish_raw`).

        The writer of the library would wrap it in an object and ask that for the bytes again.
        """
        if self._closed:
            raise TransportClosedError(f"the publisher of {self.topic} is closed")
        size = len(data)
        if size % WORD:
            data = bytes(data).ljust(size + -size % WORD, b"\x00")
        if ddspy_write(self._reference, data) >= 0:
            self._sent.add(size)
        elif self._closed:
            raise TransportClosedError(f"the publisher of {self.topic} is closed")
        else:
            self._counters.add("unsent")

    @property
    def sent(self) -> Sent:
        """What was sent while open."""
        return self._sent.total

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched."""
        return self._subscribers

    def close(self) -> None:
        """Stop publishing."""
        if not self._closed:
            self._closed = True
            self._counters.add("published", self._sent.take().messages)
            self._loop.remove(self._writer)
            self._discovery.remove(*self._gids)
            self._participant.delete(self._writer)

    def _count_subscribers(self) -> None:
        # two threads count when a subscription is matched while this is made: the older number
        # must not be kept, because nothing would correct it
        with self._counting:
            self._subscribers = self._writer.get_publication_matched_status().current_count
