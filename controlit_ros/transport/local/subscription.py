"""A subscription within the process."""

import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Lock

from controlit_ros.interfaces import DecodeError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.port import Callback, RawCallback
from controlit_ros.transport.present_publisher import PresentPublisher, is_single_value
from controlit_ros.transport.qos import Qos

from .part import LocalContext, LocalPart
from .worker import Worker

logger = logging.getLogger(__name__)


class LocalSubscription(LocalPart):
    """Receives the messages of one topic; implements `Subscription`."""

    role = Role.SUBSCRIPTION

    def __init__(
        self,
        endpoint: Endpoint,
        callback: Callback | RawCallback,
        qos: Qos,
        context: LocalContext,
        worker: Worker,
        *,
        raw: bool = False,
    ) -> None:
        super().__init__(endpoint, context, qos)
        self._callback: Callable[..., None] = callback
        self._raw = raw
        self._worker = worker
        self._samples: deque[tuple[bytes, LocalPart]] = deque()
        self._scheduled = False
        self._lock = Lock()
        self._lost = 0
        self._present: PresentPublisher[bytes] | None = None
        if is_single_value(qos):
            self._present = PresentPublisher(lambda: context.broker.find(Role.PUBLISHER, self.name))

    @property
    def lost(self) -> int:
        """Messages dropped because the callback is slow."""
        return self._lost

    def on_change(self) -> None:
        """Look whether the publisher whose value counts is gone."""
        super().on_change()
        if self._present is not None:
            self._worker.submit(self._follow_present)

    def offer(self, sample: bytes, publisher: LocalPart) -> None:
        """Take in an encoded message; beyond the depth the oldest is dropped."""
        with self._lock:
            if len(self._samples) == self.qos.depth:
                self._samples.popleft()
                self._lost += 1
            self._samples.append((sample, publisher))
            if self._scheduled:
                return
            self._scheduled = True
        self._worker.submit(self._deliver)

    def close(self) -> None:
        """Stop receiving."""
        if self.is_open:
            super().close()
            with self._lock:
                self._context.counters.add("lost", self._lost)
                self._lost = 0

    def _deliver(self) -> None:
        with self._lock:
            sample, publisher = self._samples.popleft()
            more = self._scheduled = bool(self._samples)
        if self._closed:
            return
        if self._present is None or self._present.take(publisher, sample):
            self._deliver_sample(sample)
        if more:  # not what `offer` scheduled meanwhile
            self._worker.submit(self._deliver)

    def _follow_present(self) -> None:
        """Deliver the value of the present publisher if that is another one than before."""
        if self._present is not None and not self._closed:
            sample = self._present.update()
            if sample is not None:
                self._deliver_sample(sample)

    def _deliver_sample(self, sample: bytes) -> None:
        counters = self._context.counters
        try:
            message = sample if self._raw else self._context.book.decode(self.type_name, sample)
        except DecodeError as error:
            counters.add("undecodable")
            logger.warning("%s: dropped a sample: %s", self.topic, error)
            return
        counters.add("received")
        try:
            self._callback(*((message, time.time_ns()) if self._raw else (message,)))
        except Exception:
            counters.add("callback_errors")
            logger.exception("the callback of %s failed", self.topic)
