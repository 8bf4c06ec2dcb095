"""What of a controller leads goals of tasks."""

from controlit_ros.bindings.led_task import LedTask
from controlit_ros.bindings.task_actions import TaskActions
from controlit_ros.nodes.goal_context import GoalContext
from controlit_ros.nodes.reach_watch import ReachWatch
from controlit_ros.parameters import Access
from controlit_ros.tasks import Task
from controlit_ros.tasks.joint_position import JointPosition


class TaskGoals:
    """Keeps who leads goals up with the tasks there are (see `RunningParts`).

    Args:
        context: What actions are made of.
        actions: Those of tasks; `None`: there are none.
        reach: Tells of goals out of reach.
    """

    def __init__(
        self, context: GoalContext, actions: TaskActions | None, reach: ReachWatch
    ) -> None:
        self._context = context
        self._actions = actions
        self._reach = reach

    def take_up(self, task: Task) -> None:
        """Lead the goal of a task if somebody asks for it: it has come."""
        self._context.leads.watch(task)
        self._reach.watch(task)
        led = led_task(task, self._context)
        if self._actions is not None and led is not None:
            self._actions.know(led)

    def let_go(self, task: Task, why: str) -> None:
        """Lead it no more: it is about to be `removed`, for example."""
        if self._actions is not None:
            self._actions.forget(task, why)
        self._context.leads.forget(task)
        self._reach.forget(task)


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
        context.refresh,
        context.complain,
        context.outbox,
        context.transport,
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
    )
