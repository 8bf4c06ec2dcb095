"""MatchWatch: hears from rclpy when a publisher that a subscription hears is gone."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation

from .wait_loop import RosWaitLoop, WaitKind

MATCHED = rclpy_implementation.rcl_subscription_event_type_t.RCL_SUBSCRIPTION_MATCHED


class MatchWatch:
    """Calls an action when a publisher is gone and others are left; a middleware may not report it.

    Args:
        handle: Of the subscription.
        loop: Waits for the news.
        action: Called on its thread.
    """

    def __init__(self, handle: Any, loop: RosWaitLoop, action: Callable[[], None]) -> None:
        self._loop = loop
        self._action = action
        self._event: Any = None
        with suppress(rclpy_implementation.UnsupportedEventTypeError), handle:
            self._event = rclpy_implementation.EventHandle(handle, MATCHED)
            loop.add(WaitKind.EVENT, self._event, self._hear)

    def close(self) -> None:
        """Hear nothing any more; before the subscription is destroyed."""
        if self._event is not None:
            self._loop.remove(self._event)
            self._event.destroy_when_not_in_use()

    def _hear(self) -> None:
        try:
            with self._event:
                news = self._event.take_event()
        except InvalidHandle:  # closed by another thread just now
            return
        if news is not None and news.current_count_change < 0 < news.current_count:
            self._action()
