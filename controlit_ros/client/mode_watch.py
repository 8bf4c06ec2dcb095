"""ModeWatch: which mode a controller tells, and which goals it takes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from controlit_ros.transport import LATCHED

if TYPE_CHECKING:
    from controlit_ros.client.beat import Beat
    from controlit_ros.interfaces import Message
    from controlit_ros.transport import Subscription, Transport

STATE = "controlit/msg/ModeState"


class ModeWatch:
    """Hears what the modes of a controller tell, once somebody needs it.

    Args:
        transport: How to hear it.
        topic: Absolute name.
        beat: Is notified of changes.

    Attributes:
        state: What was told last; `None`: nothing yet, or there are no modes.
    """

    def __init__(self, transport: Transport, topic: str, beat: Beat) -> None:
        self.state: Message | None = None
        self._transport = transport
        self._topic = topic
        self._beat = beat
        self._lock = threading.Lock()
        self._subscription: Subscription | None = None

    def begin(self) -> None:
        """Listen from now on; idempotent."""
        with self._lock:
            if self._subscription is None:
                self._subscription = self._transport.subscribe(
                    self._topic, STATE, self._take, LATCHED
                )

    def refusal(self, task: str) -> str:
        """Return why goals of a task are not taken at present; empty: they are, as far as known."""
        state = self.state
        if state is None or task not in state.refused:
            return ""
        taken = ", ".join(str(name) for name in state.commands) or "no commands"
        return f"goals of {task} are not taken in mode {state.entered}, which takes {taken}"

    def close(self) -> None:
        """Listen no more."""
        with self._lock:
            subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()

    def _take(self, state: Message) -> None:
        self.state = state
        self._beat.notify()
