"""ScenarioBeat: the time of a scenario, which is looked at while it passes."""

from collections.abc import Callable

from controlit_ros.client import SimulatedBeat
from controlit_ros.scripting import SimulatedController


class ScenarioBeat(SimulatedBeat):
    """Simulated time that somebody looks at.

    Args:
        controller: Started.
        look: Called after every round with the time since this was made [s].
    """

    def __init__(self, controller: SimulatedController, look: Callable[[float], None]) -> None:
        super().__init__(controller)
        self._look = look
        self._origin = self.now()

    @property
    def elapsed(self) -> float:
        """Time since this was made [s]."""
        return self.now() - self._origin

    def step(self) -> None:
        """Send goals, let a round pass, and look."""
        super().step()
        self._look(self.elapsed)
