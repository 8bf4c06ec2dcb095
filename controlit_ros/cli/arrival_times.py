"""ArrivalTimes: when the last messages of a topic came."""

import time
from collections import deque
from threading import Lock

from controlit_ros.transport import Qos, Transport


class ArrivalTimes:
    """Keeps the instants of the last messages, and nothing of the messages.

    They are taken on the transport's thread, so that a command that is starved measures what came
    and not when it had time to look; memory is bounded however long it starves.

    Args:
        window: How many instants to keep.
    """

    def __init__(self, window: int) -> None:
        self._instants: deque[float] = deque(maxlen=window)
        self._lock = Lock()

    def subscribe(self, transport: Transport, topic: str, type_name: str, qos: Qos) -> None:
        """Begin to listen."""
        transport.subscribe_raw(topic, type_name, self.keep, qos)

    def keep(self, _data: bytes, _stamp: float) -> None:
        """Take the instant of a message that comes now."""
        with self._lock:
            self._instants.append(time.monotonic())

    @property
    def instants(self) -> list[float]:
        """Instants on the monotonic clock, oldest first [s]."""
        with self._lock:
            return list(self._instants)

    @property
    def last(self) -> float | None:
        """The newest instant [s]; `None` before the first message."""
        with self._lock:
            return self._instants[-1] if self._instants else None
