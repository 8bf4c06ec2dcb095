"""GoalProgram: what a demonstration asks of a controller over time."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import TrajectorySample

Actual: TypeAlias = Mapping[str, Array | None]
"""What each watched task measures, by task name; `None` before the first message."""


class GoalProgram(Protocol):
    """Goals of tasks over time, asked for at a fixed rate until it is over.

    A program may be a fixed plan or decide as it goes; it sees only what the controller publishes.
    All calls come from one thread, in the order of time.

    Attributes:
        phases: Begin [s] and name of each phase so far; a plan knows them all beforehand.
        problems: What went wrong, in words; empty after a success.
    """

    phases: list[tuple[float, str]]
    problems: list[str]

    @property
    def duration(self) -> float:
        """How long it takes, or is expected to take [s]."""

    @property
    def tasks(self) -> Sequence[str]:
        """Names of the tasks it has goals for."""

    @property
    def watched(self) -> Sequence[str]:
        """Names of the tasks whose actual values it needs to decide."""

    def goals(self, time: float, actual: Actual) -> Mapping[str, TrajectorySample]:
        """Return the goals of all its tasks at a time since the first goal [s]."""

    def is_over(self, time: float) -> bool:
        """Whether all is said at a time [s]."""


def phase_at(phases: Sequence[tuple[float, str]], time: float) -> str:
    """Return the name of the phase at a time [s], empty before the first."""
    name = ""
    for begin, phase in phases:
        if time >= begin:
            name = phase
    return name
