"""EventStream: events of a controller, one after the other."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

from controlit_ros.client.client_errors import WaitTimeoutError
from controlit_ros.client.link import ControllerLink
from controlit_ros.interfaces import Message
from controlit_ros.transport import EVENTS

TOPIC = "events"
STRING = "std_msgs/msg/String"
CAPACITY = 1000  # [events] that wait for a slow program; the oldest go first, and are counted
LOOK = 0.2  # [s] how often to see whether the controller is still there


class FiredEvent(NamedTuple):
    """An event that fired.

    Attributes:
        name: Its name.
        time: When it came in, seconds since 1970 [s].
    """

    name: str
    time: float


class EventStream:
    """Iterates over events from when it was made on; also with `async for`.

    Iterating raises `ControllerLostError` when the controller goes away, and `WaitTimeoutError`
    where a time was given and nothing comes for so long. A context manager: leaving it ends it.

    Args:
        link: The way to the controller.
        timeout: How long to wait for each event [s]; `None`: as long as the controller is there.

    Attributes:
        dropped: Events left out because they waited too long.
    """

    def __init__(self, link: ControllerLink, timeout: float | None = None) -> None:
        self.dropped = 0
        self._link = link
        self._timeout = timeout
        self._waiting: deque[FiredEvent] = deque(maxlen=CAPACITY)
        self._listeners: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._is_closed = False
        self._subscription = link.transport.subscribe(link.topic(TOPIC), STRING, self._take, EVENTS)

    def next(self, timeout: float | None = None) -> FiredEvent:
        """Return the next event.

        Args:
            timeout: How long to wait [s]; `None`: as the stream was made.

        Raises:
            WaitTimeoutError: None comes.
            ControllerLostError: The controller went away.
            StopIteration: The stream was closed.
        """
        bound = self._timeout if timeout is None else timeout
        while not self._is_closed:
            with contextlib.suppress(IndexError):
                return self._waiting.popleft()
            limit = LOOK if bound is None else bound
            if bound is not None:
                self._link.wait(self._has_news, limit, "an event")
            else:
                self._link.check()
                self._link.beat.wait(self._has_news, limit)
        raise StopIteration

    def taken(self) -> list[FiredEvent]:
        """Return those that wait, at once."""
        found = []
        with contextlib.suppress(IndexError):
            while True:
                found.append(self._waiting.popleft())
        return found

    def close(self) -> None:
        """End it; who waits for an event gets none."""
        self._is_closed = True
        self._subscription.close()
        self._link.beat.notify()
        self._wake()

    def __iter__(self) -> Iterator[FiredEvent]:
        return self

    def __next__(self) -> FiredEvent:
        return self.next()

    def __aiter__(self) -> AsyncIterator[FiredEvent]:
        return self

    async def __anext__(self) -> FiredEvent:
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        listener = (loop, news)
        self._listeners.append(listener)
        begin = self._link.beat.now()
        try:
            while not self._is_closed:
                news.clear()
                with contextlib.suppress(IndexError):
                    return self._waiting.popleft()
                left = LOOK
                if self._timeout is not None:
                    left = self._timeout - (self._link.beat.now() - begin)
                    if left <= 0.0:
                        raise WaitTimeoutError(f"no event came within {self._timeout:g} s")
                self._link.check()
                await self._link.beat.until(news, min(left, LOOK))
        finally:
            self._listeners.remove(listener)
        raise StopAsyncIteration

    def __enter__(self) -> "EventStream":  # noqa: PYI034 (typing.Self needs Python 3.11)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _has_news(self) -> bool:
        return bool(self._waiting) or self._is_closed

    def _take(self, message: Message) -> None:
        self.dropped += len(self._waiting) == CAPACITY
        self._waiting.append(FiredEvent(str(message.data), time.time()))
        self._link.beat.notify()
        self._wake()

    def _wake(self) -> None:
        for loop, news in list(self._listeners):
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(news.set)
