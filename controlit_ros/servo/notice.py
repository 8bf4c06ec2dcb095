"""Notices: errors and warnings the servo hands over instead of logging them."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from controlit_ros.servo.queue import Queue
from controlit_ros.servo.throttle import Throttle

LONGEST_TEXT = 500  # [characters] names in messages come from the network, too


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
        self._throttles: dict[str, Throttle] = {}

    def restart(self) -> None:
        """Forget when topics were heard of: time begins anew."""
        self._throttles.clear()

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
        throttle = self._throttles.get(topic)
        if throttle is None:
            throttle = self._throttles[topic] = Throttle()
        if throttle.passes(now):
            written = text if isinstance(text, str) else text()
            self.put(level, topic, written, now, throttle.take_held())

    def put(self, level: NoticeLevel, topic: str, text: str, now: float, repeated: int) -> None:
        """Queue a notice that its author throttled."""
        if len(text) > LONGEST_TEXT:
            text = f"{text[:LONGEST_TEXT]}..."
        self._queue.offer(Notice(level, now, topic, text, repeated))
