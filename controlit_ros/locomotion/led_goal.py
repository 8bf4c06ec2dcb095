"""LedGoal: the goal of a task, and how it moves."""

from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.parameters import Parameter, ParameterError
from controlit_ros.tasks import Task


class LedGoal(NamedTuple):
    """What a task is given in every cycle.

    Attributes:
        place: Where it shall be.
        velocity: How fast it shall go there.
        acceleration: The rate of that.
    """

    place: Parameter
    velocity: Parameter
    acceleration: Parameter

    @classmethod
    def of(cls, task: Task, named_by: Parameter) -> "LedGoal":
        """Return the goal of a task.

        Args:
            task: Configured.
            named_by: The parameter that names it.

        Raises:
            ParameterError: The task leads to its goal by itself.
        """
        velocity, acceleration = task.goal_velocity, task.goal_acceleration
        if velocity is None or acceleration is None:
            raise ParameterError(
                f"{named_by.full_name}: found {task.name!r}, which leads to its goal by itself; "
                "expected one without reference"
            )
        return cls(task.goal, velocity, acceleration)

    def assign(self, place: Array, velocity: Array, acceleration: Array) -> None:
        """Give the task its goal; each of the shape of its parameter."""
        self.place.assign(place)
        self.velocity.assign(velocity)
        self.acceleration.assign(acceleration)
