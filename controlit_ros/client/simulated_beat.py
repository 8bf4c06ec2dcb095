"""SimulatedBeat: the time of clients of a controller in simulated time."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from controlit_ros.transport import Transport

ROUNDING = 1e-6  # [-] of a round

_Answer = TypeVar("_Answer")


class SteppedController(Protocol):
    """A controller whose time passes when somebody says so.

    `controlit_ros.scripting.SimulatedController` is one.
    """

    @property
    def transport(self) -> Transport:
        """What reaches it."""

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    @property
    def round_time(self) -> float:
        """Time between two exchanges of messages [s]."""

    def advance(self, duration: float) -> None:
        """Let time pass [s]."""

    def settle(self) -> None:
        """Let what was sent arrive; no time passes."""

    def answered(self, action: Callable[[], _Answer], step: Callable[[], None]) -> _Answer:
        """Return the result of an action that blocks until the controller answers."""


class SimulatedBeat:
    """Simulated time, a `Beat`: it passes while the program waits, and a run depends on it alone.

    Goals go out and messages come in once a round of the controller.

    Args:
        controller: Whose time it is.
    """

    def __init__(self, controller: SteppedController) -> None:
        self._controller = controller
        self._actions: list[Callable[[float], bool]] = []

    def now(self) -> float:
        """Return the simulated time [s]."""
        return self._controller.time

    def begin(self, _period: float, action: Callable[[float], bool]) -> None:
        """Call an action in each round while it returns true (see `Beat.begin`)."""
        if action not in self._actions:
            self._actions.append(action)

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Let time pass until a condition holds (see `Beat.wait`)."""
        rounds = timeout / self._controller.round_time - ROUNDING
        self._controller.settle()  # or a thread decides whether what is latched needs a round
        while not condition():
            if not rounds > 0.0:  # nor if it is no number
                return False
            self.step()
            rounds -= 1.0
        return True

    async def until(self, event: asyncio.Event, timeout: float) -> None:
        """Let a round pass at each turn of the loop until an event is set (see `Beat.until`)."""
        end = self.now() + timeout
        while not event.is_set() and self.now() < end:
            self.step()
            await asyncio.sleep(0)

    def call(self, action: Callable[[], _Answer]) -> _Answer:
        """Call it while as much time passes as its answer needs."""
        return self._controller.answered(action, self.step)

    def step(self) -> None:
        """Send goals, and let a round pass."""
        self._actions = [action for action in self._actions if action(self.now())]
        self._controller.advance(self._controller.round_time)

    def notify(self) -> None:
        """Do nothing: conditions are looked at in each round."""

    def close(self) -> None:
        """Forget the actions."""
        self._actions = []
