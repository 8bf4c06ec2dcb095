"""EventPolling: asks once a cycle whether events happen."""

from collections.abc import Sequence

from controlit_ros.errors import told
from controlit_ros.parameters import Event
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.servo.queue import Queue


class EventPolling:
    """Queues the names of events that happen; one that raises disturbs nobody; servo thread.

    Args:
        events: Each that is there is asked once a cycle.
        queue: Takes names.
        notices: Takes what is wrong.
    """

    def __init__(self, events: Sequence[Event], queue: Queue, notices: NoticeBoard) -> None:
        self._events = events
        self._queue = queue
        self._notices = notices

    def poll(self, now: float) -> None:
        """Ask every event."""
        for event in self._events:
            try:
                if event.poll(now):
                    self._queue.offer(event.name)
            except Exception as error:  # noqa: BLE001 - one bad event must not end the servo
                text = f"event {event.name!r} failed: {told(error)}"
                self._notices.post(NoticeLevel.ERROR, f"event {event.name}", text, now)
