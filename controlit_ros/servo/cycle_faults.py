"""CycleFaults: what went wrong in the present cycle."""

from collections.abc import Callable

from controlit_ros.servo.notice import NoticeBoard, NoticeLevel

Text = str | Callable[[], str]
"""What is told, or what writes it when it is needed."""


class CycleFaults:
    """Tells errors and remembers that there were some, after which control is not trusted.

    Args:
        notices: Takes what is told.

    Attributes:
        notices: The same, for what is no fault of the cycle.
        failed: Whether something went wrong since the cycle began.
    """

    def __init__(self, notices: NoticeBoard) -> None:
        self.notices = notices
        self.failed = False

    def fail(self, topic: str, text: Text, now: float) -> None:
        """Tell an error, which leads to the safe state."""
        self.failed = True
        self.notices.post(NoticeLevel.ERROR, topic, text, now)

    def warn(self, topic: str, text: Text, now: float) -> None:
        """Tell what control outlives."""
        self.notices.post(NoticeLevel.WARNING, topic, text, now)
