"""actual_place: where a task of a controller publishes what it measures."""

from controlit_ros.bindings import Direction
from controlit_ros.bindings.conversion import conversion
from controlit_ros.bindings.frame_names import UnsaidFrames
from controlit_ros.client.goal_outlet import GoalPlace
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack


def actual_place(stack: ControllerStack, name: str) -> GoalPlace:
    """Return the topic of a task's actual value, and how that travels.

    Raises:
        ControlItError: It is bound to none.
    """
    task = next(task for task in stack.tasks.tasks if task.name == name)
    for binding in stack.bindings:
        config = binding.config
        if (config.parameter, config.direction) == (task.actual.full_name, Direction.OUTPUT):
            return GoalPlace(
                config.topic, conversion(task.actual, config.message_type, UnsaidFrames())
            )
    raise ControlItError(f"{task.actual.full_name} is not bound: expected an output binding")
