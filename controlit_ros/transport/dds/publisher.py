"""A publisher on DDS."""

from threading import Lock
from typing import Any

from cyclonedds.core import DDSException, DDSStatus

from controlit_ros.interfaces import Message
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.qos import Qos

from .context import DdsContext
from .mangling import dds_type, topic_name, user_data
from .participant import gid_of
from .policies import writer_qos
from .wait_loop import WaitLoop


class DdsPublisher(End):
    """Sends messages of one type on one topic; implements `Publisher`."""

    def __init__(
        self,
        endpoint: Endpoint,
        qos: Qos,
        context: DdsContext,
        loop: WaitLoop,
    ) -> None:
        super().__init__(endpoint)
        self._participant = context.participant
        self._discovery = context.discovery
        self._counters = context.counters
        self._book = book = context.book
        self._loop = loop
        self._subscribers = 0
        self._counting = Lock()
        book.warm_up(endpoint.type_name)
        self._writer = self._participant.writer(
            topic_name(endpoint.name),
            dds_type(endpoint.type_name),
            writer_qos(qos, user_data(typehash=book.type_hash(endpoint.type_name))),
        )
        self._sample: Any = self._writer.data_type
        self._gid = gid_of(self._writer)
        self._writer.set_status_mask(DDSStatus.PublicationMatched)
        loop.add(self._writer, self._count_subscribers)
        self._count_subscribers()
        self._discovery.guard_type(endpoint)
        self._discovery.add(self._gid, is_reader=False)

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
            self._discovery.remove(self._gid)
            self._participant.delete(self._writer)

    def _count_subscribers(self) -> None:
        # two threads count when a subscription is matched while this is made: the older number
        # must not be kept, because nothing would correct it
        with self._counting:
            self._subscribers = self._writer.get_publication_matched_status().current_count
