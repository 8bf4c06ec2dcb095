"""TopicValue: the newest message of a topic."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from controlit_ros.client.link import ControllerLink
from controlit_ros.interfaces import Message
from controlit_ros.transport import SENSOR_STATE, Subscription

FRESH = 0.5  # [s] what is older is asked for anew: what is shown shall be what is
PATIENCE = 10.0  # [s] for the first message; a controller that is lost is known to be after five

_Value = TypeVar("_Value")


class TopicValue(Generic[_Value]):
    """Subscribes when it is first asked, and then knows the newest value.

    Args:
        link: The way to the controller.
        topic: Relative to the controller's namespace.
        type_name: Of its messages.
        read: What a message says.
    """

    def __init__(
        self, link: ControllerLink, topic: str, type_name: str, read: Callable[[Message], _Value]
    ) -> None:
        self._link = link
        self._topic = topic
        self._type = type_name
        self._read = read
        self._lock = threading.Lock()
        self._subscription: Subscription | None = None
        self._newest: tuple[float, _Value] | None = None

    def get(self) -> _Value:
        """Return the newest value, or wait for one that is not old.

        Raises:
            WaitTimeoutError: None comes.
            ControllerLostError: The controller went away.
        """
        self._link.check()
        self.open()
        self._link.wait(self._is_fresh, PATIENCE, f"a message on {self._topic}")
        assert self._newest is not None
        return self._newest[1]

    def open(self) -> None:
        """Subscribe, without waiting for a message; idempotent."""
        with self._lock:
            if self._subscription is None:
                self._subscription = self._link.transport.subscribe(
                    self._link.topic(self._topic), self._type, self._take, SENSOR_STATE
                )

    def since(self, time: float) -> _Value | None:
        """Return the newest value if it came after a time [s], `None` otherwise; does not wait."""
        newest = self._newest
        return newest[1] if newest is not None and newest[0] > time else None

    def close(self) -> None:
        """Listen no more."""
        with self._lock:
            subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()

    def _is_fresh(self) -> bool:
        newest = self._newest
        return newest is not None and self._link.beat.now() - newest[0] < FRESH

    def _take(self, message: Message) -> None:
        self._newest = (self._link.beat.now(), self._read(message))
        self._link.beat.notify()
