"""GoalRecord: what the motions of a program have sent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array


class SentGoals(NamedTuple):
    """Goals of one task.

    Attributes:
        times: `(n,)` when each went out, of the clock of `Robot.time` [s].
        values: `(n, k)` in the frame and units of the task.
    """

    times: Array
    values: Array


class GoalRecord:
    """Keeps the goals that motions send from when it was made on, for plots and tracking errors.

    A goal that rests is sent once. A context manager: leaving it ends the recording, and keeps what
    was recorded.

    Args:
        period: Between two rounds of goals [s].
        forget: Is called when nothing shall be recorded any more.

    Attributes:
        rounds: Rounds of goals that went out.
        moving: How long goals were on their way [s].
        latest: Longest time that a round came too late [s].
    """

    def __init__(self, period: float, forget: Callable[["GoalRecord"], None]) -> None:
        self.rounds = 0
        self.moving = 0.0
        self.latest = 0.0
        self._period = period
        self._forget = forget
        self._last: float | None = None  # time of the last round, while there are more to come
        self._rows: dict[str, list[tuple[float, Array]]] = {}

    def take(self, time: float, goals: Mapping[str, Array], *, goes_on: bool) -> None:
        """Keep a round.

        Args:
            time: When it went out [s].
            goals: By task name.
            goes_on: Whether there are more to come.
        """
        self.rounds += 1
        if self._last is not None:
            self.moving += time - self._last
            self.latest = max(self.latest, time - self._last - self._period)
        self._last = time if goes_on else None
        for task, goal in goals.items():
            self._rows.setdefault(task, []).append((time, goal))

    def newest(self, task: str) -> Array | None:
        """Return the goal of a task that went out last, `None` before the first."""
        rows = self._rows.get(task)
        return rows[-1][1] if rows else None

    def goals(self, task: str) -> SentGoals:
        """Return the goals of a task so far; none of one that was not moved."""
        rows = list(self._rows.get(task, ()))
        return SentGoals(np.array([time for time, _ in rows]), np.array([goal for _, goal in rows]))

    def close(self) -> None:
        """Record no more; idempotent."""
        self._forget(self)

    def __enter__(self) -> "GoalRecord":  # noqa: PYI034 (typing.Self needs Python 3.11)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
