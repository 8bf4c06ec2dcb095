"""BoundedReturn: leads the goal of a task to where a mode wants it, within limits."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.modes.mode import ModeGoal

FASTEST = 1.875  # [-] largest speed of x(t) = 10 t³ − 15 t⁴ + 6 t⁵ from 0 to 1 in the time 1
STRONGEST = 10.0 / math.sqrt(3.0)  # [-] its largest acceleration
SHORTEST = 1e-3  # [s] of a way of no length


class BoundedReturn:
    """Moves a goal from where the robot is to where it shall rest; servo thread.

        x(t) = x₀ + (10 s³ − 15 s⁴ + 6 s⁵) (x₁ − x₀),  s = t / T

    (Flash and Hogan 1985); `T` is as short as speed and acceleration allow. The way begins once the
    task measures. A task with a reference of its own is given the goal at once: that leads.

    Args:
        goal: What moves, where to, how fast.

    Attributes:
        is_over: Whether the goal has arrived.
    """

    def __init__(self, goal: ModeGoal) -> None:
        self._goal = goal
        self._start: Array = goal.value.copy()
        self._way: Array = np.zeros_like(goal.value)
        self._part: Array = np.zeros_like(goal.value)
        self._has_begun = False
        self._began = self._duration = 0.0
        self.is_over = True

    def begin(self) -> None:
        """Begin anew, from wherever the robot is."""
        self._has_begun = self.is_over = False

    def end(self) -> None:
        """Lead no more."""
        self.is_over = True

    def step(self, now: float) -> None:
        """Move the goal on to a time [s]."""
        task = self._goal.task
        if self.is_over or not task.active.valid:
            return
        if task.is_led:
            task.goal.accept(self._goal.value)
            task.goal.stated = True
            self.end()
            return
        if not self._has_begun:
            self._plan(now)
        self._lead(min(1.0, (now - self._began) / self._duration))

    def _plan(self, now: float) -> None:
        """Begin at rest where the robot is."""
        goal = self._goal
        np.copyto(self._start, goal.task.active.actual)
        np.copyto(self._way, goal.value)
        goal.task.goal.choose_turns(self._way, self._start)
        self._way -= self._start
        np.abs(self._way, out=self._part)
        if np.ndim(goal.speed) == 0:  # of the length
            distance = math.sqrt(self._way.dot(self._way)) / float(goal.speed)
        else:
            np.divide(self._part, goal.speed, out=self._part)
            distance = float(self._part.max())
        self._duration = max(
            SHORTEST,
            FASTEST * distance,
            math.sqrt(STRONGEST * distance * goal.rise_time),
        )
        self._began, self._has_begun = now, True

    def _lead(self, s: float) -> None:
        task, part, time = self._goal.task, self._part, self._duration
        np.multiply(self._way, s**3 * (10.0 - 15.0 * s + 6.0 * s**2), out=part)
        part += self._start
        task.goal.assign(part)
        task.goal.stated = True
        if task.goal_velocity is not None:
            np.multiply(self._way, 30.0 * s**2 * (1.0 - s) ** 2 / time, out=part)
            task.goal_velocity.assign(part)
        if task.goal_acceleration is not None:
            np.multiply(self._way, 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / time**2, out=part)
            task.goal_acceleration.assign(part)
        self.is_over = s >= 1.0
