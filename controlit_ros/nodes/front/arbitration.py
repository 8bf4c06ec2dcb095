"""Arbitration: who may set what, on the way to the servo."""

from controlit_ros.bindings.goal_leads import GoalLeads, GoalsOfOthers
from controlit_ros.modes import GatedMailbox, ModeGate
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.reach_watch import ReachWatch
from controlit_ros.nodes.remote_access import remote_access
from controlit_ros.parameters import RemoteMailbox


class Arbitration:
    """The mailboxes that a value passes before it is in that of the servo, the first to the last.

    Args:
        crossing: Takes values to the servo.

    Attributes:
        remote: For topics and services: hands on what `access` allows.
        access: What may be set by whoever reaches topics and services.
        goals: Hands on what `gate` lets through; what leads a goal that is set by others, ends.
        gate: Refuses what the present mode does not take.
        leads: Who leads the goal of which task; leads post to `reach`, having asked `gate`.
        reach: Hands everything on, and tells of goals out of reach.
    """

    def __init__(self, crossing: Crossing) -> None:
        stack, coordinator = crossing.stack, crossing.coordinator
        self.access = remote_access(stack.configuration.parameters, stack.tasks.tasks)
        self.gate = ModeGate(stack.modes)
        self.leads = GoalLeads(self.gate.check_goal)
        self.reach = ReachWatch(
            crossing.mailbox,
            coordinator.robot_state,
            lambda task, text: crossing.complain(f"reach of {task}", text),
            is_bolted=stack.robot_interface.setup.fixed_base,
        )
        for task in stack.tasks.tasks:
            self.reach.watch(task)
        self.goals = GatedMailbox(
            GoalsOfOthers(self.reach, self.leads, lambda: crossing.now), self.gate
        )
        self.remote = RemoteMailbox(self.goals, self.access)
