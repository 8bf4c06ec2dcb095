"""OverrunWatch: what to think of deadlines that were missed."""

from enum import Enum
from typing import NamedTuple


class OverrunPolicy(Enum):
    """What happens when too many deadlines in a row are missed."""

    WARN = "warn"
    SAFE = "safe"


class OverrunSettings(NamedTuple):
    """When the servo counts as too late.

    Attributes:
        policy: What happens when `limit` is reached.
        limit: Deadlines in a row that may be missed, by cycles too long or by one pause.
        pause_limit: Time between two cycles after which nothing that was known counts: whatever
            the policy, the servo goes safe and renews its model [s].
    """

    policy: OverrunPolicy = OverrunPolicy.WARN
    limit: int = 50
    pause_limit: float = 0.2


class Timeliness(Enum):
    """How the present cycle came."""

    ON_TIME = "on time"
    LATE = "late"
    """Too many deadlines in a row were missed."""
    AFTER_PAUSE = "after a pause"
    """The servo stood still: it was stopped, or starved."""


class OverrunWatch:
    """Counts missed deadlines; servo thread.

    Args:
        frequency: Servo rate [Hz].
        settings: When the servo counts as too late.

    Attributes:
        missed: Deadlines missed since the start.
        in_a_row: Deadlines missed since the last cycle that came when it was due.
        pauses: Times the servo stood still.
    """

    def __init__(self, frequency: float, settings: OverrunSettings) -> None:
        self.settings = settings
        self.missed = 0
        self.in_a_row = 0
        self.pauses = 0
        self._frequency = frequency
        self._pause_limit = max(settings.pause_limit, 1.5 / frequency)

    def look(self, elapsed: float) -> Timeliness:
        """Judge a cycle by the time since the start of the last one [s]."""
        missed = round(elapsed * self._frequency) - 1
        if missed <= 0:
            self.in_a_row = 0
            return Timeliness.ON_TIME
        self.missed += missed
        self.in_a_row += missed
        if elapsed > self._pause_limit:
            self.pauses += 1
            self.in_a_row = 0  # that is told by the pause
            return Timeliness.AFTER_PAUSE
        return Timeliness.LATE if self.in_a_row > self.settings.limit else Timeliness.ON_TIME
