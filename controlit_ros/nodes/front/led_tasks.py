"""Tasks whose goals actions lead, and these actions."""

from controlit_ros.bindings.led_task import LedTask
from controlit_ros.bindings.task_actions import TaskActions
from controlit_ros.nodes.front.goal_context import GoalContext
from controlit_ros.parameters import Access
from controlit_ros.tasks import Task
from controlit_ros.tasks.joint_position import JointPosition


def offer_task_actions(context: GoalContext) -> TaskActions:
    """Offer the actions that lead goals of tasks.

    Raises:
        UnknownTypeError: ROS 2 runs here without the messages of controlit.
    """
    led = (led_task(task, context) for task in context.stack.tasks.tasks)
    return TaskActions(
        {task.name: task for task in led if task is not None},
        context.leads,
        context.clock,
        context.is_active,
        context.crossing.refresh,
        context.complain,
        context.crossing.outbox,
        context.crossing.transport,
    )


def led_task(task: Task, context: GoalContext) -> LedTask | None:
    """Return a task whose goal actions can lead; `None`: its goal is no matter of run time."""
    if task.goal.access is not Access.RUN_TIME:
        return None
    if not isinstance(task, JointPosition):
        return LedTask(task, context.mailbox, frames=context.stack.frames)
    robot = context.stack.robot
    indices = robot.actuable_indices
    return LedTask(
        task,
        context.mailbox,
        robot.lower_limits[indices],
        robot.upper_limits[indices],
        context.fastest(task.goal.labels),
        context.stack.frames,
        context.couplings,
    )
