"""GoalPath: goals of a task over time, as a file has them."""

import json
import math
from typing import Any, NamedTuple, NoReturn

import numpy as np

from controlit_console.console_error import ConsoleError
from controlit_ros.arrays import Array

LONGEST_FILE = 1024 * 1024  # [bytes]
MOST = 10_000  # [#] goals
ROUNDING = 1e-6  # [-] of a gap
FIELDS = ("task", "times", "goals")


class GoalPath(NamedTuple):
    """Goals of one task.

    Attributes:
        task: Its name.
        times: `(n,)` when each is passed, increasing from 0 [s].
        goals: `(n, k)` in the frame and units of the task.
    """

    task: str
    times: Array
    goals: Array

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return float(self.times[-1])

    def check(self, goal: Array) -> None:
        """Find out whether the goals have as many numbers as one of the task.

        Args:
            goal: `(k,)` of the task.

        Raises:
            ConsoleError: They do not.
        """
        found, expected = self.goals.shape[1], len(goal)
        if found != expected:
            raise ConsoleError(
                f"goals: found {found} numbers in each, expected {expected} for {self.task}"
            )

    def rest(self, since: float) -> "GoalPath":
        """Return what is left after a time [s], the last goal at least; times go on as they are."""
        first = min(int(np.searchsorted(self.times, since, side="right")), len(self.times) - 1)
        return self._replace(times=self.times[first:], goals=self.goals[first:])

    def even(self, gap: float) -> "GoalPath":
        """Return the path with goals as far apart in time as a gap [s], or a little less.

        Splines through goals that are close in time here and far there swing out between them, the
        farther the longer they have: metres of a path that has centimetres.
        """
        first, last = float(self.times[0]), float(self.times[-1])
        count = math.ceil((last - first) / gap - ROUNDING) + 1
        times = np.linspace(first, last, count)
        goals = _continuous(self.goals)
        columns = [np.interp(times, self.times, column) for column in goals.T]
        return self._replace(times=times, goals=np.stack(columns, axis=1))

    def text(self) -> str:
        """Return the file."""
        return json.dumps(
            {"task": self.task, "times": self.times.tolist(), "goals": self.goals.tolist()}
        )


def read_goal_path(content: bytes) -> GoalPath:
    """Return the path that a file has: JSON with `task`, `times` [s] and `goals`.

    Raises:
        ConsoleError: It is not one; the text tells what was found, and what was expected.
    """
    if len(content) > LONGEST_FILE:
        raise ConsoleError(f"found {len(content)} bytes, expected {LONGEST_FILE} at most")
    try:
        told = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ConsoleError(f"this is no JSON: {error}") from None
    if not isinstance(told, dict) or any(field not in told for field in FIELDS):
        raise ConsoleError(f"expected an object with {', '.join(FIELDS)}")
    times, goals = _numbers(told["times"], "times", 1), _numbers(told["goals"], "goals", 2)
    if not isinstance(told["task"], str):
        raise ConsoleError(f"task: found {told['task']!r}, expected the name of a task")
    if not 0 < len(times) == len(goals) <= MOST:
        raise ConsoleError(
            f"found {len(times)} times and {len(goals)} goals, expected as many of both, "
            f"1 to {MOST}"
        )
    if times[0] < 0.0 or (np.diff(times) <= 0.0).any():
        raise ConsoleError("times: expected numbers that increase from 0 or more [s]")
    return GoalPath(told["task"], times, goals)


def _continuous(goals: Array) -> Array:
    """Return goals of which quaternions, at their end, have no sign other than the one before."""
    turns = goals[:, -4:]
    is_turn = goals.shape[1] in (4, 7) and np.allclose(np.linalg.norm(turns, axis=1), 1.0)
    if not is_turn:
        return goals
    signs = np.where(np.einsum("ij,ij->i", turns[1:], turns[:-1]) < 0.0, -1.0, 1.0)
    found: Array = goals.copy()
    found[1:, -4:] *= np.cumprod(signs)[:, np.newaxis]
    return found


def _numbers(value: Any, name: str, depth: int) -> Array:
    expected = f"{name}: expected a list of {'numbers' if depth == 1 else 'goals, each a list'}"
    try:
        numbers = np.array(value, dtype=float)
    except (ValueError, TypeError):
        raise ConsoleError(expected) from None
    if numbers.ndim != depth or not np.isfinite(numbers).all():
        raise ConsoleError(expected)
    return numbers


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"found {word}, expected a number")
