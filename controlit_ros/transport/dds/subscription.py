"""A subscription on DDS."""

import logging
from collections.abc import Callable

from cyclonedds.core import DDSException, ReadCondition

from controlit_ros.interfaces import DecodeError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.port import Callback, RawCallback
from controlit_ros.transport.qos import Qos

from .context import DdsContext
from .discovery import ANY_STATE
from .end import DdsEnd
from .mangling import topic_name
from .sample import OpaqueSample
from .wait_loop import DdsWaitLoop

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 50
"""Samples delivered before other subscriptions have their turn."""


class DdsSubscription(DdsEnd):
    """Receives the messages of one topic; implements `Subscription`."""

    def __init__(
        self,
        endpoint: Endpoint,
        callback: Callback | RawCallback,
        qos: Qos,
        context: DdsContext,
        loop: DdsWaitLoop,
        *,
        raw: bool = False,
    ) -> None:
        super().__init__(endpoint, context, loop)
        self._callback: Callable[..., None] = callback
        self._raw = raw
        self._reader = self._new_reader(topic_name(endpoint.name), endpoint.type_name, qos)
        self._condition = ReadCondition(self._reader, ANY_STATE)
        loop.add(self._condition, self._deliver)
        self._announce(self._reader)

    @property
    def lost(self) -> int:
        """Samples that the middleware knows it could not deliver; none when closed."""
        try:
            return 0 if self._closed else int(self._reader.get_sample_lost_status().total_count)
        except DDSException:  # closed by another thread just now
            return 0

    def close(self) -> None:
        """Stop receiving."""
        if not self._closed:
            self._counters.add("lost", self.lost)
            self._closed = True
            self._loop.remove(self._condition)
            self._discovery.remove(*self._gids)
            self._participant.delete(self._condition, self._reader)

    def _deliver(self) -> None:
        for sample in self._reader.take(MOST_AT_ONCE):
            if self._closed:
                return
            if isinstance(sample, OpaqueSample):
                self._deliver_sample(sample)

    def _deliver_sample(self, sample: OpaqueSample) -> None:
        try:
            data = sample.data
            message = data if self._raw else self._book.decode(self.endpoint.type_name, data)
        except DecodeError as error:
            self._counters.add("undecodable")
            logger.warning("%s: dropped a sample: %s", self.topic, error)
            return
        self._counters.add("received")
        try:
            if self._raw:
                self._callback(message, int(sample.sample_info.source_timestamp))
            else:
                self._callback(message)
        except Exception:
            self._counters.add("callback_errors")
            logger.exception("the callback of %s failed", self.topic)
