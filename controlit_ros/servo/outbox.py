"""Outbox: everything the servo says, delivered by one writer thread."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from controlit_ros.servo.hand_off import HandOff

Array = npt.NDArray[np.float64]

_log = logging.getLogger(__name__)

QUEUE_CAPACITY = 1024  # [entries] events and notices are rare
INTEREST_PERIOD = 0.1  # [s] how often the writer asks whether anybody listens


class Tap:
    """A vector the servo offers at up to a given rate, while somebody wants it.

    Args:
        width: Numbers in the vector.
        fill: Writes the present value into the row it is given; runs in the servo thread.
        deliver: Takes stamp [s] and values; runs in the writer thread.
        rate: Highest rate of offers [Hz]; 0: every cycle.
        wanted: Tells whether anybody listens; asked by the writer thread now and then.
    """

    def __init__(
        self,
        width: int,
        fill: Callable[[Array], None],
        deliver: Callable[[float, Array], None],
        *,
        rate: float = 0.0,
        wanted: Callable[[], bool] | None = None,
    ) -> None:
        self.hand_off = HandOff(width)
        self.deliver = deliver
        self.wanted = wanted
        self.is_wanted = wanted is None
        self._fill = fill
        self._period = 1.0 / rate if rate > 0.0 else 0.0
        self._due = 0.0

    def offer(self, now: float) -> bool:
        """Offer the value if it is due; servo thread."""
        if now < self._due:
            return False
        # from the due time, not from now, so that the rate holds on average
        self._due = max(self._due + self._period, now - self._period)
        self._fill(self.hand_off.begin(now))
        self.hand_off.commit()
        return True


class Queue:
    """Rare objects the servo offers: event names, notices; drop-oldest, counted."""

    def __init__(self, deliver: Callable[[Any], None], capacity: int = QUEUE_CAPACITY) -> None:
        self.deliver = deliver
        self.dropped = 0
        self._capacity = capacity
        self._entries: deque[Any] = deque()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to deliver."""
        return not self._entries

    def offer(self, entry: Any) -> None:
        """Append an entry; one thread only, never blocks."""
        if len(self._entries) >= self._capacity:
            # popping, not a bounded deque: the reader may have made room meanwhile
            with suppress(IndexError):
                self._entries.popleft()
                self.dropped += 1
        self._entries.append(entry)

    def drain(self) -> list[Any]:
        """Remove and return all entries."""
        entries: list[Any] = []
        with suppress(IndexError):  # the writer dropped it meanwhile
            entries.extend(self._entries.popleft() for _ in range(len(self._entries)))
        return entries


class Outbox:
    """Collects taps and queues and delivers what they hold from a writer thread.

    Taps and queues are added before `start`. An error in a tap or a delivery is counted and
    remembered, it never reaches the servo.

    Attributes:
        failures: Deliveries and offers that raised.
        last_failure: Text of the last of them.
    """

    def __init__(self) -> None:
        self._taps: list[Tap] = []
        self._queues: list[Queue] = []
        self._wake = threading.Lock()
        self._wake.acquire()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.failures = 0
        self.last_failure = ""

    @property
    def dropped(self) -> int:
        """Entries lost because the writer was too slow, over all hand-offs."""
        return sum(tap.hand_off.dropped for tap in self._taps) + sum(
            queue.dropped for queue in self._queues
        )

    def add_tap(self, tap: Tap) -> Tap:
        """Add a tap."""
        self._taps.append(tap)
        return tap

    def add_queue(self, deliver: Callable[[Any], None]) -> Queue:
        """Add a queue."""
        queue = Queue(deliver)
        self._queues.append(queue)
        return queue

    def offer_all(self, now: float) -> None:
        """Offer every wanted tap and wake the writer; servo thread, once a cycle."""
        has_mail = False
        for tap in self._taps:
            if tap.is_wanted:
                try:
                    has_mail |= tap.offer(now)
                except Exception as error:  # noqa: BLE001 - a tap may read anything
                    self._count(error)
        for queue in self._queues:
            has_mail |= not queue.is_empty
        # waking at every cycle would make the writer compete for the interpreter at servo rate
        if has_mail and self._wake.locked():
            self._wake.release()

    def start(self) -> None:
        """Start the writer thread; idempotent."""
        if self._thread is not None:
            return
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Deliver what is left and end the thread; idempotent."""
        if self._thread is None:
            return
        self._stopping = True
        self._thread.join()
        self._thread = None

    def _run(self) -> None:
        next_interest = 0.0
        while not self._stopping:
            self._wake.acquire(timeout=INTEREST_PERIOD)
            now = time.monotonic()
            if now >= next_interest:
                next_interest = now + INTEREST_PERIOD
                for tap in self._taps:
                    if tap.wanted is not None:
                        tap.is_wanted = self._ask(tap.wanted)
            self.deliver_all()
        self.deliver_all()  # what came between the last delivery and the order to stop

    def deliver_all(self) -> None:
        """Deliver everything offered so far; writer thread, or a test without one."""
        for tap in self._taps:
            for sample in tap.hand_off.drain():
                self._attempt(tap.deliver, sample.stamp, sample.values)
        for queue in self._queues:
            for entry in queue.drain():
                self._attempt(queue.deliver, entry)

    def _ask(self, wanted: Callable[[], bool]) -> bool:
        try:
            return wanted()
        except Exception as error:  # noqa: BLE001 - a transport may raise anything
            self._count(error)
            return False

    def _attempt(self, deliver: Callable[..., None], *arguments: Any) -> None:
        try:
            deliver(*arguments)
        except Exception as error:  # noqa: BLE001 - a transport may raise anything
            if repr(error) != self.last_failure:
                _log.error("a delivery failed: %r", error)
            self._count(error)

    def _count(self, error: Exception) -> None:
        self.failures += 1
        self.last_failure = repr(error)
