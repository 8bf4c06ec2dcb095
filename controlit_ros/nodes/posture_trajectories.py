"""What of a controller follows trajectories of joints."""

from collections.abc import Callable

import numpy as np

from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory, TrajectoryTime
from controlit_ros.bindings.trajectory_follower import Measurement, TrajectoryFollower
from controlit_ros.bindings.trajectory_limits import TooFast
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import Coordinator, CoordinatorState
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.transport import Transport


def posture_task(stack: ControllerStack) -> JointPosition | None:
    """Return the task that trajectories drive: the only one of its kind, if anything is bound."""
    found = [task for task in stack.tasks.tasks if isinstance(task, JointPosition)]
    is_bound = stack.configuration.parameters.default_bindings
    is_free = len(found) == 1 and not found[0].is_led  # what leads it would lag behind
    return found[0] if is_bound and is_free else None


def offer_trajectories(
    stack: ControllerStack,
    task: JointPosition,
    coordinator: Coordinator,
    liveliness: Liveliness,
    mailbox: Mailbox,
    transport: Transport,
    clock_offset: float,
    refresh: Callable[[], None],
) -> FollowJointTrajectory:
    """Offer the action and the topic that drive a task.

    Raises:
        UnknownTypeError: ROS 2 runs here without the package control_msgs.
    """
    indices, state = stack.robot.actuable_indices, coordinator.robot_state
    status = coordinator.status

    def measure() -> Measurement:
        return Measurement(np.take(state.position, indices), np.take(state.velocity, indices))

    def is_active() -> bool:
        is_active = status.state is CoordinatorState.ACTIVE and liveliness.is_well
        return is_active and not task.is_disabled

    too_fast = TooFast(stack.configuration.parameters.fast_trajectories)
    enforced = dict(
        zip(stack.robot.command_joints, stack.guard.limits(stack.robot).velocity, strict=True)
    )
    fastest = np.array([enforced.get(joint, np.inf) for joint in task.goal.labels])
    follower = TrajectoryFollower(task, mailbox, measure, refresh, fastest, too_fast)
    return FollowJointTrajectory(
        follower,
        TrajectoryTime(lambda: status.now, clock_offset, lambda: status.starts),
        is_active,
        transport,
    )
