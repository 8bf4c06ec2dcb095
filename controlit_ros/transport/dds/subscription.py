"""A subscription on DDS."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

from cyclonedds.core import DDSException, DDSStatus, ReadCondition
from cyclonedds.sub import DataReader

from controlit_ros.interfaces import DecodeError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.port import Callback, RawCallback
from controlit_ros.transport.present_publisher import PresentPublisher, is_single_value
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.repeats import Repeats

from .context import DdsContext
from .discovery import ANY_STATE
from .end import DdsEnd
from .mangling import topic_name
from .sample import OpaqueSample
from .wait_loop import DdsWaitLoop

logger = logging.getLogger(__name__)

HANDLES = 2**64
"""How many there are: lists of the library have them with a sign, samples without."""

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
        self._qos = qos
        self._changing = Lock()
        self._listening: tuple[tuple[DataReader, ReadCondition], ...] = ()
        self._repeats: Repeats | None = None
        self._present: PresentPublisher[OpaqueSample] | None = None
        if is_single_value(qos):
            self._present = PresentPublisher(self._matched)
        reader = self._listen(qos, self._deliver)
        if self._present is not None:
            reader.set_status_mask(DDSStatus.SubscriptionMatched)
            loop.add(reader, partial(self._follow_present, reader))
        self._announce(reader, adapt=self._hear_best_effort if qos.adapts else None)

    @property
    def lost(self) -> int:
        """Samples that the middleware knows it could not deliver; none when closed."""
        try:
            readers = () if self._closed else self._listening
            return sum(int(r.get_sample_lost_status().total_count) for r, _ in readers)
        except DDSException:  # closed by another thread just now
            return 0

    def close(self) -> None:
        """Stop receiving."""
        with self._changing:
            if self._closed:
                return
            self._counters.add("lost", self.lost)
            self._closed = True
        self._discovery.remove(*self._gids)
        for reader, condition in self._listening:
            self._loop.remove(condition)
            if self._present is not None:
                self._loop.remove(reader)
            self._participant.delete(condition, reader)

    def _matched(self) -> list[int]:
        """Return handles of the publishers that this subscription hears, as samples have them."""
        reader = self._listening[0][0]
        return [handle % HANDLES for handle in reader.get_matched_publications()]

    def _listen(self, qos: Qos, deliver: Callable[[DataReader], None]) -> DataReader:
        reader = self._new_reader(topic_name(self.topic), self.type_name, qos)
        condition = ReadCondition(reader, ANY_STATE)
        self._listening += ((reader, condition),)
        self._loop.add(condition, partial(deliver, reader))
        return reader

    def _hear_best_effort(self) -> None:
        """Listen to best-effort publishers, too, beside the reliable ones."""
        with self._changing:
            if self._closed or self._repeats is not None:
                return
            self._repeats = Repeats()
            reader = self._listen(self._qos.best_effort, self._deliver_others)
        logger.info("%s: hears best-effort publishers, too", self.topic)
        self._announce(reader)
        if not self.is_open:  # any more: another thread has closed it just now
            self._discovery.remove(*self._gids)

    def _deliver(self, reader: DataReader) -> None:
        for sample in self._samples(reader):
            if self._repeats is not None:
                self._repeats.note(sample.sample_info.source_timestamp, sample.data)
            present = self._present
            if present is None or present.take(sample.sample_info.publication_handle, sample):
                self._deliver_sample(sample)

    def _follow_present(self, reader: DataReader) -> None:
        """Deliver the value of the present publisher if that is another one than before."""
        reader.get_subscription_matched_status()  # or it would trigger again at once
        self._deliver(reader)
        assert self._present is not None
        sample = self._present.update()
        if sample is not None and not self._closed:
            self._deliver_sample(sample)

    def _deliver_others(self, reader: DataReader) -> None:
        """Deliver what comes from best-effort publishers alone."""
        self._deliver(self._listening[0][0])  # so that what both hear counts as delivered
        repeats = self._repeats
        assert repeats is not None
        for sample in self._samples(reader):
            if not repeats.has(sample.sample_info.source_timestamp, sample.data):
                self._deliver_sample(sample)

    def _samples(self, reader: DataReader) -> Iterator[OpaqueSample]:
        for sample in reader.take(MOST_AT_ONCE):
            if self._closed:
                return
            if isinstance(sample, OpaqueSample):
                yield sample

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
