"""Newest: the newest message of a topic, decoded when somebody looks."""

from controlit_ros.interfaces import Message, decode
from controlit_ros.transport import SENSOR_STATE, Qos, Transport


class Newest:
    """Keeps the last message of a topic as it came; nothing is decoded that nobody looks at.

    Args:
        transport: Brings it.
        topic: Absolute.
        type_name: Of its messages.
        qos: How it is kept.
    """

    def __init__(
        self, transport: Transport, topic: str, type_name: str, qos: Qos = SENSOR_STATE
    ) -> None:
        self._type = type_name
        self._raw: bytes | None = None
        self._shown: bytes | None = None
        self._subscription = transport.subscribe_raw(topic, type_name, self._take, qos)

    def news(self) -> Message | None:
        """Return the newest message; `None` where it was returned before, or there is none."""
        raw = self._raw
        if raw is None or raw is self._shown:
            return None
        self._shown = raw
        return decode(self._type, raw)

    def close(self) -> None:
        """Listen no more."""
        self._subscription.close()

    def _take(self, data: bytes, _stamp: int) -> None:
        self._raw = data
