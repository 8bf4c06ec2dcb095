"""TaskTopics: the topics a task of a running controller is reached by."""

from typing import NamedTuple

from controlit_ros.bindings import Direction, conversion
from controlit_ros.client.goal_outlet import GoalPlace, GoalPlaces
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Parameter


class TaskTopics(NamedTuple):
    """Topics of one task, and how values travel on them.

    Attributes:
        goals: In: the goal and what the task takes of its derivatives.
        actual: Out.
    """

    goals: GoalPlaces
    actual: GoalPlace

    def without_velocity(self) -> "TaskTopics":
        """Return the same, but no velocities of the goal are sent."""
        return self._replace(goals=self.goals._replace(velocity=None))

    def without_acceleration(self) -> "TaskTopics":
        """Return the same, but no accelerations of the goal are sent."""
        return self._replace(goals=self.goals._replace(acceleration=None))


def task_topics(stack: ControllerStack, name: str) -> TaskTopics:
    """Return how to reach a task of a controller.

    Raises:
        ControlItError: A parameter that must be bound is not.
    """
    task = next(task for task in stack.tasks.tasks if task.name == name)

    def bound(parameter: Parameter, direction: Direction) -> GoalPlace | None:
        for binding in stack.bindings:
            config = binding.config
            if (config.parameter, config.direction) == (parameter.full_name, direction):
                return GoalPlace(config.topic, conversion(parameter, config.message_type))
        return None

    def required(parameter: Parameter, direction: Direction) -> GoalPlace:
        found = bound(parameter, direction)
        if found is None:
            raise ControlItError(
                f"{parameter.full_name} is not bound: expected an {direction.value} binding"
            )
        return found

    def optional(parameter: Parameter | None) -> GoalPlace | None:
        return None if parameter is None else bound(parameter, Direction.INPUT)

    return TaskTopics(
        goals=GoalPlaces(
            goal=required(task.goal, Direction.INPUT),
            velocity=optional(task.goal_velocity),
            acceleration=optional(task.goal_acceleration),
            turns=task.goal.quantity.turns,
        ),
        actual=required(task.actual, Direction.OUTPUT),
    )
