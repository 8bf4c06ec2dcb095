"""A publisher on DDS."""

from threading import Lock
from typing import Any

from cyclonedds.core import DDSException, DDSStatus

from controlit_ros.interfaces import Message
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.qos import Qos

from .context import DdsContext
from .end import DdsEnd
from .mangling import topic_name
from .wait_loop import DdsWaitLoop


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
        self._subscribers = 0
        self._counting = Lock()
        self._writer = self._new_writer(topic_name(endpoint.name), endpoint.type_name, qos)
        self._sample: Any = self._writer.data_type
        self._writer.set_status_mask(DDSStatus.PublicationMatched)
        loop.add(self._writer, self._count_subscribers)
        self._count_subscribers()
        self._announce(self._writer)

    def publish(self, message: Message) -> None:
        """Send a message (see `Publisher.publish`)."""
        data = self._book.encode(self.endpoint.type_name, message)
        if self._closed:
            raise TransportClosedError(f"the publisher of {self.topic} is closed")
        try:
            self._writer.write(self._sample(data))
        except DDSException as error:
            if self._closed:
                raise TransportClosedError(f"the publisher of {self.topic} is closed") from error
            self._counters.add("unsent")
        else:
            self._counters.add("published")

    def subscriber_count(self) -> int:
        """Return how many subscriptions are matched."""
        return self._subscribers

    def close(self) -> None:
        """Stop publishing."""
        if not self._closed:
            self._closed = True
            self._loop.remove(self._writer)
            self._discovery.remove(*self._gids)
            self._participant.delete(self._writer)

    def _count_subscribers(self) -> None:
        # two threads count when a subscription is matched while this is made: the older number
        # must not be kept, because nothing would correct it
        with self._counting:
            self._subscribers = self._writer.get_publication_matched_status().current_count
