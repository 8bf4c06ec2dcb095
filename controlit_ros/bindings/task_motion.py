"""TaskMotion: goals of one or several tasks on their way."""

import math
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

from controlit_ros.bindings.action_server import ActionServer, Goal, GoalStatus
from controlit_ros.bindings.task_requests import Leg
from controlit_ros.paths.braking import STOP_TIME, Braking
from controlit_ros.paths.trajectory import TrajectorySample


class MotionCode(IntEnum):
    """What the actions of tasks report."""

    SUCCESSFUL = 0
    REPLACED = -1
    NOT_ACTIVE = -2
    CANCELLED = -3
    PATH_TOLERANCE_VIOLATED = -4
    GOAL_TOLERANCE_VIOLATED = -5
    REJECTED = -6


STATUS = {MotionCode.SUCCESSFUL: GoalStatus.SUCCEEDED, MotionCode.CANCELLED: GoalStatus.CANCELED}
"""Of a goal that ended with a code; of all others it is aborted."""


class Ending(NamedTuple):
    """How a motion ends.

    Attributes:
        code: For programs.
        text: For people.
    """

    code: MotionCode
    text: str


class TaskMotion:
    """Leads the goals of its legs along their paths, which begin together.

    Times are those of the servo's clock [s].

    Args:
        server: Whose goal it is.
        goal: That of the action.
        legs: Different tasks.
        begin: When the paths begin.
        patience: How long the errors are waited for at the end [s].

    Attributes:
        server: Whose goal it is.
        goal: That of the action.
        names: Of all tasks that it led at the beginning.
        since: When it began.
        reason: How it ends once it has come to rest.
    """

    def __init__(
        self, server: ActionServer, goal: Goal, legs: Sequence[Leg], begin: float, patience: float
    ) -> None:
        self.server = server
        self.goal = goal
        self.names = tuple(leg.task.name for leg in legs)
        self._legs = {leg.task.name: leg for leg in legs}
        self.since = self._begin = begin
        self._patience = patience
        self._duration = max(leg.path.end for leg in legs)
        self._is_stopping = False
        self._arrived_at = math.inf
        self.reason = Ending(MotionCode.CANCELLED, "it came to rest and stays there")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Those it leads still."""
        return tuple(self._legs)

    @property
    def idle(self) -> tuple[str, ...]:
        """Those of its tasks that command no longer."""
        return tuple(name for name, leg in self._legs.items() if not leg.task.acts)

    @property
    def tells(self) -> bool:
        """Whether somebody is told how it goes."""
        return not self.goal.has_ended

    def sample(self, task: str, now: float) -> TrajectorySample:
        """Return where the goal of a task is."""
        return self._legs[task].path.at(now - self._begin)

    def progress(self, now: float) -> tuple[float, float]:
        """Return how much of the time is over, 0 to 1, and how much is left [s]."""
        passed = min(max(now - self._begin, 0.0), self._duration)
        return passed / self._duration, self._duration - passed

    def stop(self, now: float, reason: Ending | None = None) -> None:
        """Come to rest on the paths, and end so.

        Args:
            now: The present time.
            reason: Of the end, if it is not that somebody cancelled it.
        """
        if reason is not None:
            self.reason = reason
        if self._is_stopping:
            return
        at = now - self._begin
        for name, leg in self._legs.items():
            self._legs[name] = leg._replace(path=Braking(leg.path, at))
        self._is_stopping = True
        self._begin, self._duration = now, STOP_TIME

    def drop(self, task: str) -> None:
        """Lead a task no longer."""
        del self._legs[task]

    def step(self, now: float, error_of: Callable[[str, float], float]) -> Ending | None:
        """Post the goals of the present time.

        Args:
            now: That time.
            error_of: Returns the error of a task since a time; not a number if it is not known.

        Returns:
            How it ends; `None`: it goes on.

        Raises:
            ParameterError: The goal is none.
        """
        late = self._late(now, error_of)
        if late is not None:
            return late
        is_over = now - self._begin >= self._duration
        for name, leg in self._legs.items():
            state = self.sample(name, now)
            if now - self._begin >= leg.path.end:
                state = TrajectorySample.at_rest(state.value)
            leg.task.post(state)
        if not is_over:
            return None
        return self.reason if self._is_stopping else self._arrived(now, error_of)

    def rest(self) -> None:
        """Leave the goals where they are, without motion."""
        for leg in self._legs.values():
            leg.task.post(leg.task.at_rest())

    def stay(self) -> None:
        """Move the goals to where the robot is: something may be in its way."""
        for leg in self._legs.values():
            leg.task.stay()

    def _late(self, now: float, error_of: Callable[[str, float], float]) -> Ending | None:
        """Look whether the robot follows."""
        if self._is_stopping or now - self._begin >= self._duration:
            return None
        for name, leg in self._legs.items():
            error = error_of(name, self._begin)
            if error > leg.path_tolerance:
                return Ending(
                    MotionCode.PATH_TOLERANCE_VIOLATED,
                    f"{name} is off by {error:.4g}, path_tolerance is {leg.path_tolerance:g}",
                )
        return None

    def _arrived(self, now: float, error_of: Callable[[str, float], float]) -> Ending | None:
        """Look whether the robot has arrived as well."""
        self._arrived_at = min(self._arrived_at, now)
        for name, leg in self._legs.items():
            if math.isinf(leg.goal_tolerance):
                continue
            error = error_of(name, self._arrived_at)
            if not error <= leg.goal_tolerance:
                if now - self._arrived_at < self._patience:
                    return None
                return Ending(
                    MotionCode.GOAL_TOLERANCE_VIOLATED,
                    f"{name} is off by {error:.4g} after {self._patience:g} s, goal_tolerance is "
                    f"{leg.goal_tolerance:g}",
                )
        return Ending(MotionCode.SUCCESSFUL, "the goal has arrived")
