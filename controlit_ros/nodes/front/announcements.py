"""Announcements: what a controller tells of itself as it happens."""

import logging

from controlit_ros.interfaces import new
from controlit_ros.nodes.front.news import News
from controlit_ros.servo import Notice, NoticeLevel
from controlit_ros.transport import EVENTS, Transport

STRING = "std_msgs/msg/String"

_log = logging.getLogger("controlit.servo")


class Announcements:
    """Publishes events and notices on their topics, and keeps the last of them.

    Args:
        transport: Topics are relative to its namespace.

    Attributes:
        news: What was told last.
    """

    def __init__(self, transport: Transport) -> None:
        self.news = News()
        self._events = transport.publisher("events", STRING, EVENTS)
        self._errors = transport.publisher("diagnostics/errors", STRING, EVENTS)
        self._warnings = transport.publisher("diagnostics/warnings", STRING, EVENTS)

    def tell_event(self, name: str) -> None:
        """Tell that an event fired."""
        self.news.tell_event(name)
        self._events.publish(new(STRING, data=name))

    def tell_notice(self, notice: Notice) -> None:
        """Log a sentence for people; publish it if it is a warning or an error."""
        text = notice.text
        if notice.repeated:
            text += f" ({notice.repeated} more)"
        if notice.level is not NoticeLevel.INFO:
            self.news.tell_notice(text)
        if notice.level is NoticeLevel.ERROR:
            self.news.tell_trouble(notice.text)
            _log.error(text)
            self._errors.publish(new(STRING, data=text))
        elif notice.level is NoticeLevel.WARNING:
            _log.warning(text)
            self._warnings.publish(new(STRING, data=text))
        else:
            _log.info(text)
