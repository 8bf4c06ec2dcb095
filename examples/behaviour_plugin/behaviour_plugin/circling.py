"""Circling: leads the goal of a task around a circle."""

import math

from controlit_ros.plugins import (
    Access,
    Behaviour,
    Kind,
    LedParts,
    Moment,
    ParameterError,
    RobotDescription,
    did_you_mean,
)


class Circling(Behaviour):
    """A goal in space goes around, in the plane y, z of the world, from where the robot is."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.task = self.declare("task", "", kind=Kind.TEXT, access=Access.CONFIGURATION)
        self.radius = self.declare("radius", 0.05, lower=0.0, upper=1.0, unit="m")
        self.period = self.declare("period", 4.0, lower=0.5, unit="s")

    def configure(self, parts: LedParts) -> None:
        """Find the task."""
        found = parts.tasks.get(self.task.value)
        if found is None or found.goal.shape != (3,):
            raise ParameterError(
                f"{self.task.full_name}: found {self.task.value!r}, expected a task with a goal of "
                f"three numbers{did_you_mean(self.task.value, parts.tasks)}"
            )
        self._goal = found.goal
        self._velocity = found.goal_velocity

    def begin(self, moment: Moment) -> None:
        """Begin at the lowest point, where the goal is now."""
        self._lowest = self._goal.value.copy()
        self._angle, self._last = 0.0, moment.now

    def step(self, moment: Moment) -> None:
        """Lead on; the period may change on the way, and the goal does not jump."""
        rate, radius = 2.0 * math.pi / self.period.value, self.radius.value
        self._angle += rate * (moment.now - self._last)
        self._last = moment.now
        sine, cosine = math.sin(self._angle), math.cos(self._angle)
        self._goal.assign(self._lowest + (0.0, radius * sine, radius * (1.0 - cosine)))
        self._velocity.assign((0.0, rate * radius * cosine, rate * radius * sine))
