"""MessageStream: messages of topics, handed from the transport's thread to the command's."""

import time
from collections import deque
from collections.abc import Iterator
from threading import Condition
from typing import NamedTuple

from controlit_ros.cli import output
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.transport import Qos, Transport

CAPACITY = 10_000  # [messages] that wait for a slow terminal
LOOK = 0.2  # [s] how often to see whether anybody still reads the output


class SilenceError(ControlItError):
    """No message came in the time given."""


class Arrival(NamedTuple):
    """A message that came in.

    Attributes:
        time: When, seconds since 1970 [s].
        instant: When, on the monotonic clock [s].
        topic: Absolute name.
        message: What came.
    """

    time: float
    instant: float
    topic: str
    message: Message


class MessageStream:
    """Subscribes to topics and iterates over what arrives.

    Memory is bounded: what a slow terminal or a starved process does not take in time is left out,
    the oldest first, counted and told.

    Args:
        transport: Where to subscribe.
        capacity: Most messages that wait.

    Attributes:
        dropped: Messages that were left out.
    """

    def __init__(self, transport: Transport, capacity: int = CAPACITY) -> None:
        self.dropped = 0
        self._told = 0
        self._transport = transport
        self._arrivals: deque[Arrival] = deque(maxlen=capacity)
        self._came = Condition()

    def subscribe(self, topic: str, type_name: str, qos: Qos) -> None:
        """Add a topic."""

        def keep(message: Message) -> None:
            with self._came:
                self.dropped += len(self._arrivals) == self._arrivals.maxlen
                self._arrivals.append(Arrival(time.time(), time.monotonic(), topic, message))
                self._came.notify()

        self._transport.subscribe(topic, type_name, keep, qos)

    def messages(self, count: int | None, timeout: float | None) -> Iterator[Arrival]:
        """Return messages as they come, up to `count`.

        Raises:
            SilenceError: None came for `timeout` seconds.
            ReaderGoneError: Nobody reads the output any more.
        """
        remaining = count
        while remaining is None or remaining > 0:
            yield self.next(timeout)
            if remaining is not None:
                remaining -= 1

    def next(self, timeout: float | None) -> Arrival:
        """Return the next message; raises as `messages` does."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            wait = LOOK if deadline is None else min(LOOK, deadline - time.monotonic())
            with self._came:
                if self._came.wait_for(lambda: self._arrivals, max(wait, 0.0)):
                    self._tell()
                    return self._arrivals.popleft()
            if output.reader_is_gone():
                raise output.ReaderGoneError
            if deadline is not None and time.monotonic() >= deadline:
                raise SilenceError(f"no message came within {timeout:g} s")

    def _tell(self) -> None:
        if self.dropped > self._told:
            output.warning(f"{self.dropped - self._told} messages were too many and are left out")
            self._told = self.dropped
