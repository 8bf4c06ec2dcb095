"""What of a controller leads goals of tasks."""

from controlit_ros.bindings.led_task import LedTask
from controlit_ros.bindings.task_actions import TaskActions
from controlit_ros.nodes.goal_context import GoalContext
from controlit_ros.parameters import Access
from controlit_ros.tasks import Task
from controlit_ros.tasks.joint_position import JointPosition


def offer_task_actions(context: GoalContext) -> TaskActions:
    """Offer the actions that lead goals of tasks.

    Raises:
        UnknownTypeError: ROS 2 runs here without the messages of controlit.
    """
    tasks = context.stack.tasks.tasks
    return TaskActions(
        {task.name: _led(task, context) for task in tasks if task.goal.access is Access.RUN_TIME},
        context.leads,
        context.clock,
        context.is_active,
        context.refresh,
        context.complain,
        context.outbox,
        context.transport,
    )


def _led(task: Task, context: GoalContext) -> LedTask:
    if not isinstance(task, JointPosition):
        return LedTask(task, context.mailbox)
    robot = context.stack.robot
    indices = robot.actuable_indices
    return LedTask(
        task,
        context.mailbox,
        robot.lower_limits[indices],
        robot.upper_limits[indices],
        context.fastest(task.goal.labels),
    )
