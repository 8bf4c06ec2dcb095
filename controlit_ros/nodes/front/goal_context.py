"""GoalContext: what actions that move goals are made of."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.trajectory_time import TrajectoryTime
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.parameters import Poster
from controlit_ros.servo import CoordinatorState


class GoalContext(NamedTuple):
    """The parts of a node that actions need.

    Attributes:
        crossing: To the servo.
        mailbox: Takes goals there.
        leads: Who leads the goal of which task.
        complain: Tells why a goal is rejected.
    """

    crossing: Crossing
    mailbox: Poster
    leads: GoalLeads
    complain: Callable[[str], None]

    @property
    def stack(self) -> ControllerStack:
        """What runs at the start."""
        return self.crossing.stack

    @property
    def clock(self) -> TrajectoryTime:
        """Time of the servo."""
        status, offset = self.crossing.coordinator.status, self.crossing.clock_offset
        return TrajectoryTime(lambda: status.now, offset, lambda: status.starts)

    def is_active(self) -> bool:
        """Return whether the controller commands the robot."""
        state = self.crossing.coordinator.status.state
        return state is CoordinatorState.ACTIVE and self.crossing.liveliness.is_well

    def couplings(self) -> tuple[Coupling, ...]:
        """Return the couplings of joints that are enabled."""
        return tuple(
            coupling
            for constraint in self.stack.constraints.constraints
            if isinstance(constraint, TransmissionConstraint) and constraint.is_enabled
            for coupling in constraint.couplings
        )

    def fastest(self, joints: Sequence[str]) -> Array:
        """Return the velocity limits of joints, infinite where none is enforced."""
        stack = self.stack
        limits = stack.guard.limits(stack.robot).velocity
        enforced = dict(zip(stack.robot.command_joints, limits, strict=True))
        return np.array([enforced.get(joint, np.inf) for joint in joints])
