"""GoalActions: the actions of a controller that lead goals."""

import logging
from functools import partial

from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory
from controlit_ros.bindings.gripper import Gripper
from controlit_ros.bindings.task_actions import TaskActions
from controlit_ros.interfaces import UnknownTypeError
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.goal_context import GoalContext
from controlit_ros.nodes.front.led_tasks import led_task, offer_task_actions
from controlit_ros.nodes.front.posture_trajectories import (
    offer_grippers,
    offer_trajectories,
    posture_task,
)
from controlit_ros.parameters.remote_mailbox import GOALS
from controlit_ros.tasks import Task

_log = logging.getLogger("controlit.servo")


class GoalActions:
    """Offers the actions that lead goals, and keeps them up with the tasks there are.

    Args:
        crossing: To the servo.
        arbitration: Who may set what.

    Attributes:
        tasks: Lead goals of single tasks; `None`: not offered, as the next.
        trajectories: Follow trajectories of joints.
        grippers: Move a gripper each.
    """

    def __init__(self, crossing: Crossing, arbitration: Arbitration) -> None:
        self.tasks: TaskActions | None = None
        self.trajectories: FollowJointTrajectory | None = None
        self.grippers: list[Gripper] = []
        self._leads = arbitration.leads
        self._reach = arbitration.reach
        self._driven = posture_task(crossing.stack)
        self._context = GoalContext(
            crossing,
            arbitration.reach,
            arbitration.leads,
            partial(crossing.complain, "actions"),
        )
        if arbitration.access.allows(GOALS):
            for task in crossing.stack.tasks.tasks:
                self._leads.watch(task)
            try:
                self._offer()
            except UnknownTypeError as error:
                _log.warning("not all actions are offered: %s", error)

    @property
    def offered(self) -> tuple[TaskActions | FollowJointTrajectory | Gripper, ...]:
        """All that there are, in the order they start."""
        some = (*self.grippers, self.trajectories, self.tasks)
        return tuple(action for action in some if action is not None)

    @property
    def driven(self) -> Task | None:
        """The task that trajectories drive, if they are offered."""
        return None if self.trajectories is None else self._driven

    def take_up(self, task: Task) -> None:
        """Lead the goal of a task if somebody asks for it: it has come."""
        self._leads.watch(task)
        self._reach.watch(task)
        led = led_task(task, self._context)
        if self.tasks is not None and led is not None:
            self.tasks.know(led)

    def let_go(self, task: Task, why: str) -> None:
        """Lead it no more: it is about to be `removed`, for example."""
        if self.tasks is not None:
            self.tasks.forget(task, why)
        self._leads.forget(task)
        self._reach.forget(task)

    def _offer(self) -> None:
        parameters = self._context.stack.configuration.parameters
        if parameters.default_bindings:
            self.tasks = offer_task_actions(self._context)
        if self._driven is not None:
            self.trajectories = offer_trajectories(self._context, self._driven)
            self.grippers = offer_grippers(self._context, self._driven)
        elif parameters.grippers:
            _log.warning(
                "no gripper is offered: a controller with default_bindings and one task "
                "of type JointPosition moves them"
            )
