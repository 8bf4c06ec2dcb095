"""DemoCourse: how a program goes."""

from collections.abc import Callable

from controlit_ros.client import ControlEndedError, Robot
from controlit_ros.interfaces import new
from controlit_ros.transport import LATCHED, Transport

STATE_TOPIC = "demo/state"
TEXT = "std_msgs/msg/String"
RECOVERY = 10.0  # [s] for control to come back by itself


class DemoCourse:
    """What a program tells of itself while it runs.

    The name of each phase goes out on `STATE_TOPIC`; who comes late gets the present one.

    Args:
        transport: Its namespace is the controller's.
        clock: Tells the time [s].

    Attributes:
        origin: Time of the first phase on the clock [s], `None` before.
        phases: Begin since then [s] and name of each phase so far.
        problems: What went wrong, in words; empty after a success.
    """

    def __init__(self, transport: Transport, clock: Callable[[], float]) -> None:
        self.origin: float | None = None
        self.phases: list[tuple[float, str]] = []
        self.problems: list[str] = []
        self._clock = clock
        self._state = transport.publisher(STATE_TOPIC, TEXT, LATCHED)

    @property
    def elapsed(self) -> float:
        """Time since the first phase began [s]."""
        return 0.0 if self.origin is None else self._clock() - self.origin

    @property
    def phase(self) -> str:
        """Name of the present phase, empty before the first."""
        return self.phases[-1][1] if self.phases else ""

    def enter(self, phase: str) -> None:
        """Begin a phase."""
        if self.origin is None:
            self.origin = self._clock()
        is_new = phase != self.phase
        self.phases.append((self.elapsed, phase))
        if is_new:
            self._state.publish(new(TEXT, data=phase))

    def recover(self, robot: Robot, error: ControlEndedError) -> None:
        """Note that control ended on the way, and wait until it comes back by itself.

        Raises:
            WaitTimeoutError: It does not.
        """
        problem = f"{self.phase}: {error}"
        if problem not in self.problems:
            self.problems.append(problem)
        robot.wait_until("active", RECOVERY)
