"""TaskTopics: the topics a task of a running controller is reached by."""

from typing import NamedTuple

from controlit_ros.bindings import Conversion, Direction, conversion
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Parameter


class TaskTopics(NamedTuple):
    """Topic, and how values travel on it, of each bound parameter of one task.

    Attributes:
        goal: In.
        goal_velocity: In; `None` if the task has none or it is not bound.
        goal_acceleration: In; the same.
        actual: Out.
    """

    goal: tuple[str, Conversion]
    goal_velocity: tuple[str, Conversion] | None
    goal_acceleration: tuple[str, Conversion] | None
    actual: tuple[str, Conversion]


def task_topics(stack: ControllerStack, name: str) -> TaskTopics:
    """Return how to reach a task of a controller.

    Raises:
        ControlItError: A parameter that must be bound is not.
    """
    task = next(task for task in stack.tasks.tasks if task.name == name)

    def bound(parameter: Parameter, direction: Direction) -> tuple[str, Conversion] | None:
        for binding in stack.bindings:
            config = binding.config
            if (config.parameter, config.direction) == (parameter.full_name, direction):
                return config.topic, conversion(parameter, config.message_type)
        return None

    def required(parameter: Parameter, direction: Direction) -> tuple[str, Conversion]:
        found = bound(parameter, direction)
        if found is None:
            raise ControlItError(
                f"{parameter.full_name} is not bound: expected an {direction.value} binding"
            )
        return found

    def optional(parameter: Parameter | None) -> tuple[str, Conversion] | None:
        return None if parameter is None else bound(parameter, Direction.INPUT)

    return TaskTopics(
        goal=required(task.goal, Direction.INPUT),
        goal_velocity=optional(task.goal_velocity),
        goal_acceleration=optional(task.goal_acceleration),
        actual=required(task.actual, Direction.OUTPUT),
    )
