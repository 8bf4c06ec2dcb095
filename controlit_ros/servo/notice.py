"""Notices: errors and warnings the servo hands over instead of logging them."""

import math
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from controlit_ros.servo.queue import Queue

LONGEST_TEXT = 500  # [characters] names in messages come from the network, too
THROTTLE_PERIOD = 1.0  # [s] the same complaint at 1 kHz helps nobody


class NoticeLevel(Enum):
    """How serious a notice is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Notice(NamedTuple):
    """One message from the servo.

    Attributes:
        level: How serious it is.
        stamp: When, on the servo's clock [s].
        topic: What it is about; notices of one topic are throttled together.
        text: What was found and what was expected.
        repeated: How often it was held back since it was last let through.
    """

    level: NoticeLevel
    stamp: float
    topic: str
    text: str
    repeated: int


class NoticeBoard:
    """Throttles notices topic by topic and queues them; servo thread."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._last: dict[str, float] = {}
        self._held: dict[str, int] = {}

    def restart(self) -> None:
        """Forget when topics were heard of: time begins anew."""
        self._last.clear()
        self._held.clear()

    def post(
        self, level: NoticeLevel, topic: str, text: str | Callable[[], str], now: float
    ) -> None:
        """Queue a notice unless its topic was heard of a moment ago.

        Args:
            level: How serious it is.
            topic: What it is about.
            text: What was found and what was expected, or what writes that when it is needed.
            now: The present time [s].
        """
        last = self._last.get(topic, -math.inf)
        if now - last < THROTTLE_PERIOD:
            self._held[topic] = self._held.get(topic, 0) + 1
            return
        held = self._held.pop(topic, 0)
        if now - last > 2.0 * THROTTLE_PERIOD:
            held = 0  # those belong to a burst that is over
        self._last[topic] = now
        self.put(level, topic, text if isinstance(text, str) else text(), now, held)

    def put(self, level: NoticeLevel, topic: str, text: str, now: float, repeated: int) -> None:
        """Queue a notice that its author throttled."""
        if len(text) > LONGEST_TEXT:
            text = f"{text[:LONGEST_TEXT]}..."
        self._queue.offer(Notice(level, now, topic, text, repeated))
