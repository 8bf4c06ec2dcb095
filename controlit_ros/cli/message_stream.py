"""MessageStream: messages of topics, handed from the transport's thread to the command's."""

import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import NamedTuple

from controlit_ros.cli import output
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.transport import Qos, Transport

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

    Args:
        transport: Where to subscribe.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._arrivals: SimpleQueue[Arrival] = SimpleQueue()

    def subscribe(self, topic: str, type_name: str, qos: Qos) -> None:
        """Add a topic."""

        def keep(message: Message) -> None:
            self._arrivals.put(Arrival(time.time(), time.monotonic(), topic, message))

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
            try:
                return self._arrivals.get(timeout=max(wait, 0.0))
            except Empty:
                pass
            if output.reader_is_gone():
                raise output.ReaderGoneError
            if deadline is not None and time.monotonic() >= deadline:
                raise SilenceError(f"no message came within {timeout:g} s")
