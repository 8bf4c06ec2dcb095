"""LoopEvent: an event that other threads than its loop's may set."""

import asyncio

from viser.infra import _infra
from viser.infra._async_message_buffer import AsyncMessageBuffer

TRIES = 10  # [#] more in a row were never seen, and viser wakes the loop in any case


class LoopEvent(asyncio.Event):
    """Can be set while its loop lets others come and go.

    viser sets the event of a buffer from whatever thread a message comes, and walks through those
    that wait. Where their number changes meanwhile that raises, and the rest of a picture is lost.
    """

    def set(self) -> None:
        """Wake those that wait."""
        for _ in range(TRIES):
            try:
                super().set()
            except RuntimeError:  # somebody came or went
                self.clear()
            else:
                return


class CalmBuffer(AsyncMessageBuffer):
    """A buffer of viser with such an event."""

    def __init__(self, event_loop: asyncio.AbstractEventLoop, *, persistent_messages: bool) -> None:
        super().__init__(event_loop, persistent_messages, message_event=LoopEvent())


def use_loop_events() -> None:
    """Let viser make calm buffers from now on."""
    _infra.AsyncMessageBuffer = CalmBuffer  # type: ignore[misc, assignment]
