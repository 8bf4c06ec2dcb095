"""GoalContext: what actions that move goals are made of."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.trajectory_time import TrajectoryTime
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Poster
from controlit_ros.servo import Coordinator, CoordinatorState, Outbox
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.transport import Transport


class GoalContext(NamedTuple):
    """The parts of a node that actions need.

    Attributes:
        stack: What runs.
        coordinator: Of the servo.
        liveliness: Whether the servo makes cycles.
        mailbox: Takes goals to the servo.
        outbox: Brings values out of it.
        transport: Of the node.
        clock_offset: Seconds from the servo's clock to ROS time.
        refresh: Brings parameters up to date before they are read outside of the servo.
        leads: Who leads the goal of which task.
        complain: Tells why a goal is rejected.
    """

    stack: ControllerStack
    coordinator: Coordinator
    liveliness: Liveliness
    mailbox: Poster
    outbox: Outbox
    transport: Transport
    clock_offset: float
    refresh: Callable[[], None]
    leads: GoalLeads
    complain: Callable[[str], None]

    @property
    def clock(self) -> TrajectoryTime:
        """Time of the servo."""
        status = self.coordinator.status
        return TrajectoryTime(lambda: status.now, self.clock_offset, lambda: status.starts)

    def is_active(self) -> bool:
        """Return whether the controller commands the robot."""
        return self.coordinator.status.state is CoordinatorState.ACTIVE and self.liveliness.is_well

    def fastest(self, joints: Sequence[str]) -> Array:
        """Return the velocity limits of joints, infinite where none is enforced."""
        stack = self.stack
        limits = stack.guard.limits(stack.robot).velocity
        enforced = dict(zip(stack.robot.command_joints, limits, strict=True))
        return np.array([enforced.get(joint, np.inf) for joint in joints])
