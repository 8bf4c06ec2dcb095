"""ScenarioBeat: the time of a client whose controller is simulated in the same thread."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from controlit_ros.scripting import SimulatedController

ROUND = 0.01  # [s] of goals
PATIENCE = 0.1  # [s] of wall time for an answer that needs no cycle of the servo

_Answer = TypeVar("_Answer")


class ScenarioBeat:
    """Lets simulated time pass while the program waits. A `Beat`.

    Args:
        controller: Started.
        look: Called every round with the time since the first [s].
    """

    def __init__(self, controller: SimulatedController, look: Callable[[float], None]) -> None:
        self._controller = controller
        self._look = look
        self._origin = controller.time
        self._looked = -ROUND
        self._actions: list[Callable[[float], bool]] = []

    @property
    def elapsed(self) -> float:
        """Time since this was made [s]."""
        return self._controller.time - self._origin

    def now(self) -> float:
        """Return simulated time [s]."""
        return self._controller.time

    def begin(self, _period: float, action: Callable[[float], bool]) -> None:
        """Call an action every round while it returns true (see `Beat.begin`)."""
        if action not in self._actions:
            self._actions.append(action)

    def wait(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Let rounds pass until a condition holds (see `Beat.wait`)."""
        deadline = self.now() + timeout - 0.5 * ROUND
        while not condition():
            if self.now() >= deadline:
                return False
            self._round()
        return True

    def call(self, action: Callable[[], _Answer]) -> _Answer:
        """Return the answer; a cycle passes only when it does not come without."""
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(action)
            while not wait([answer], PATIENCE).done:
                self._advance(1.0 / self._controller.stack.clock.frequency)
            return answer.result()

    def notify(self) -> None:
        """Do nothing: who waits looks every round."""

    def close(self) -> None:
        """Do nothing: who leaves lets motions end, and with them the calls."""

    def pause(self, duration: float) -> None:
        """Let time pass [s]."""
        self.wait(lambda: False, duration)

    def _round(self) -> None:
        self._actions = [action for action in self._actions if action(self.now())]
        self._advance(ROUND)

    def _advance(self, duration: float) -> None:
        self._controller.advance(duration)
        if self.elapsed - self._looked > 0.5 * ROUND:
            self._looked = self.elapsed
            self._look(self.elapsed)
