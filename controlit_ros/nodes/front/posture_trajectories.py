"""What of a controller follows trajectories of joints."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.bindings.follow_joint_trajectory import FollowJointTrajectory
from controlit_ros.bindings.gripper import Gripper, GripperJoints
from controlit_ros.bindings.trajectory_follower import Measurement, TrajectoryFollower
from controlit_ros.bindings.trajectory_limits import TooFast
from controlit_ros.bindings.trajectory_tolerances import DefaultTolerances
from controlit_ros.configuration import ControllerParameters
from controlit_ros.configuration.parameters import EVERY_JOINT
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.goal_context import GoalContext
from controlit_ros.tasks.joint_position import JointPosition


def posture_task(stack: ControllerStack) -> JointPosition | None:
    """Return the task that trajectories drive: the only one of its kind, if anything is bound."""
    found = [task for task in stack.tasks.tasks if isinstance(task, JointPosition)]
    is_bound = stack.configuration.parameters.default_bindings
    is_free = len(found) == 1 and not found[0].is_led  # what leads it would lag behind
    return found[0] if is_bound and is_free else None


def offer_trajectories(context: GoalContext, task: JointPosition) -> FollowJointTrajectory:
    """Offer the action and the topic that drive a task.

    Raises:
        UnknownTypeError: ROS 2 runs here without the package control_msgs.
    """
    follower = _follower(context, task, TooFast(_parameters(context).fast_trajectories))
    return FollowJointTrajectory(
        follower,
        context.clock,
        lambda: context.is_active() and not task.is_disabled,
        context.leads,
        context.complain,
        default_tolerances(_parameters(context), task.goal.labels),
        context.crossing.transport,
        context.couplings,
    )


def offer_grippers(context: GoalContext, task: JointPosition) -> list[Gripper]:
    """Offer the actions of the grippers whose joints a task moves.

    Raises:
        UnknownTypeError: ROS 2 runs here without the package control_msgs, or an old one.
    """
    return [
        Gripper(
            name,
            _gripper_joints(context, task, joints),
            _follower(context, task, TooFast.SCALE),
            context.clock,
            lambda: context.is_active() and not task.is_disabled,
            context.leads,
            context.complain,
            context.crossing.transport,
        )
        for name, joints in _parameters(context).grippers.items()
    ]


def _parameters(context: GoalContext) -> ControllerParameters:
    return context.stack.configuration.parameters


def _follower(context: GoalContext, task: JointPosition, too_fast: TooFast) -> TrajectoryFollower:
    robot, state = context.stack.robot, context.crossing.coordinator.robot_state
    indices = robot.actuable_indices

    def measure() -> Measurement:
        return Measurement(np.take(state.position, indices), np.take(state.velocity, indices))

    return TrajectoryFollower(
        task,
        context.mailbox,
        measure,
        context.crossing.refresh,
        context.fastest(task.goal.labels),
        too_fast,
    )


def _gripper_joints(
    context: GoalContext, task: JointPosition, joints: Sequence[str]
) -> GripperJoints:
    robot, state = context.stack.robot, context.crossing.coordinator.robot_state
    indices = robot.actuable_indices[[task.goal.labels.index(joint) for joint in joints]]
    return GripperJoints(
        tuple(joints),
        robot.velocity_limits[indices],
        robot.effort_limits[indices],
        lambda: np.take(state.effort, indices),
    )


def default_tolerances(
    parameters: ControllerParameters, joints: Sequence[str]
) -> DefaultTolerances:
    """Return what holds where a trajectory of joints states no tolerances."""
    path, goal = (
        {joint: stated.get(joint, stated.get(EVERY_JOINT, 0.0)) or np.inf for joint in joints}
        for stated in (parameters.trajectory_path_tolerance, parameters.trajectory_goal_tolerance)
    )
    return DefaultTolerances(
        path,
        goal,
        parameters.trajectory_stopped_velocity or np.inf,
        parameters.trajectory_goal_time or np.inf,
    )
