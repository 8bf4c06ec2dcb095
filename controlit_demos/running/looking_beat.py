"""LookingBeat: the time of a program that is watched."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from controlit_ros.client import Beat

ROUNDING = 1e-6  # [s] less is no time to wait for

_Answer = TypeVar("_Answer")


class LookingBeat:
    """A `Beat` that looks after the run while the program waits; what a look raises ends the wait.

    Args:
        beat: Whose time passes.
        period: Between two looks [s].

    Attributes:
        look: What is done; nothing to begin with.
    """

    def __init__(self, beat: Beat, period: float) -> None:
        self.look: Callable[[], None] = lambda: None
        self._beat = beat
        self._period = period

    def now(self) -> float:
        """Return the time [s]."""
        return self._beat.now()

    def begin(self, period: float, action: Callable[[float], bool]) -> None:
        """Call an action each period (see `Beat.begin`)."""
        self._beat.begin(period, action)

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until a condition holds (see `Beat.wait`), looking meanwhile."""
        deadline = self.now() + timeout
        while not self._beat.wait(condition, min(self._period, max(deadline - self.now(), 0.0))):
            self.look()
            if self.now() >= deadline - ROUNDING:
                return condition()
        return True

    async def until(self, event: asyncio.Event, timeout: float) -> None:
        """Wait in asyncio until an event is set (see `Beat.until`), looking meanwhile."""
        deadline = self.now() + timeout
        while not event.is_set() and self.now() < deadline - ROUNDING:
            await self._beat.until(event, min(self._period, deadline - self.now()))
            self.look()

    def call(self, action: Callable[[], _Answer]) -> _Answer:
        """Call it (see `Beat.call`)."""
        return self._beat.call(action)

    def notify(self) -> None:
        """Let those who wait look at their conditions."""
        self._beat.notify()

    def close(self) -> None:
        """End the calls of actions."""
        self._beat.close()
