"""ArrivalCheck: whether a robot has followed a goal to its end."""

import math
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.client.topic_value import TopicValue

TOLERANCE = 0.01  # [m, rad] of the error, unless a motion states another
LEAST_GAIN = 0.01  # [-] of the smallest error so far: a smaller decrease is no progress
STALLED = 0.5  # [s] without progress after which the robot has settled
LONGEST = 5.0  # [s] of progress, after which a motion ends all the same
LATENCY = 0.015  # [s] what comes sooner may have been measured before the last goal
SILENT = 1.0  # [s] without a measurement after which there is none


class Reached(NamedTuple):
    """What a task reached at the end of a motion.

    Attributes:
        error: Length of the task's error [m, rad]; of a task whose goal has named entries, as a
            posture, the largest one among those that the motion moved. Not a number if unknown.
        tolerance: What counts as arrived, in the same unit.
        actual: `(k,)` measured value in the form of the goal; empty if unknown.
        reason: What held the task back, in words; empty if it arrived or nothing is known.
    """

    error: float
    tolerance: float
    actual: Array
    reason: str = ""


class ArrivalCheck:
    """Compares the error of a task with a tolerance until it arrives or makes no more progress.

    Args:
        outputs: Values of the task by role: `error_norm`, or `error` where single entries count,
            and `actual`; those that no topic carries are left out.
        entries: `(m,)` entries of the error that count; `None`: its length.
        tolerance: Largest error that counts as arrived [m, rad].
    """

    def __init__(
        self, outputs: dict[str, TopicValue[Any]], entries: Indices | None, tolerance: float
    ) -> None:
        self._outputs = outputs
        self._role = "error_norm" if entries is None else "error"
        self._entries = entries
        self.tolerance = tolerance
        self._goal_at = self._best_at = math.nan  # [s]
        self._error = self._best = math.inf
        for output in outputs.values():
            output.open()

    def begin(self, now: float) -> None:
        """Begin to look: the goal has come to its end [s]."""
        self._goal_at = self._best_at = now

    def is_over(self, now: float) -> bool:
        """Return whether the robot has arrived or settled, or that cannot be known."""
        source = self._outputs.get(self._role)
        found = None if source is None else source.since(self._goal_at + LATENCY)
        if found is None:
            return source is None or now - self._goal_at > SILENT
        self._error = self._length(found)
        if self.has_arrived:
            return True
        if self._error < (1.0 - LEAST_GAIN) * self._best:  # false of what is not a number
            self._best, self._best_at = self._error, now
        return now - self._best_at > STALLED or now - self._goal_at > LONGEST

    @property
    def is_known(self) -> bool:
        """Whether the error was measured since the goal came to its end."""
        return self._error < math.inf

    @property
    def has_arrived(self) -> bool:
        """Whether the error was within the tolerance when it was measured last."""
        return self._error <= self.tolerance

    def reached(self) -> Reached:
        """Return what was measured last."""
        source = self._outputs.get("actual")
        actual = None if source is None else source.since(self._goal_at)
        error = self._error if self.is_known else math.nan
        return Reached(error, self.tolerance, np.zeros(0) if actual is None else actual)

    def _length(self, error: Any) -> float:
        if self._entries is None:
            return float(error)
        return float(np.abs(np.asarray(error)[self._entries]).max())
