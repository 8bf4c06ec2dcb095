"""JointPosition: posture of all actuable joints."""

from typing import Any

import numpy as np

from controlit_ros.kernels import motion_layout as layout
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.shape import PostureShape
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState


class JointPosition(Task):
    """Holds or moves every actuable joint; usually the lowest priority (paper section 4.1).

    Error `e = q_goal − q`, Jacobian the selection of the joints' rows, no bias. Goals and gains are
    lists in the order of `getActuableJointIndices` or maps by joint name. Of a joint without limits
    a goal of half a turn at most means its equivalent next to the present goal, or to the joint
    where the task begins to act (`Parameter.choose_turns`).
    """

    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        joints = robot.actuable_joints
        super().__init__(name, robot, len(joints), joints)
        joint_vector: dict[str, Any] = {
            "shape": (len(joints),),
            "broadcast": True,
            "labels": joints,
        }
        model = robot.pinocchio
        # Pinocchio has cosine and sine of a joint without limits
        turning = [i for i, name in enumerate(joints) if model.nqs[model.getJointId(name)] == 2]
        self.goal = self.declare(
            "goal_position",
            0.0,
            unit="rad",
            description="goal positions",
            turning=turning,
            **joint_vector,
        )
        self.declare_feed_forward("rad", **joint_vector)
        self.goal.rate = self.goal_velocity
        self.actual = self.declare(
            "actual_position", 0.0, unit="rad", access=Access.OUTPUT, **joint_vector
        )
        self.controller = PIDController(
            self, len(joints), by_component=True, labels=joints, unit="rad"
        )

    def configure(self) -> None:
        """Write the constant Jacobian into both states."""
        super().configure()
        columns = self.robot.actuable_indices + BASE_DOFS
        for state in (self.active, self.inactive):
            state.jacobian[np.arange(self.dimension), columns] = 1.0

    def shapes(self) -> tuple[PostureShape, ...]:
        """The robot in the goal posture, and as it is."""
        joints = self.robot.actuable_indices
        return (PostureShape(self.goal, self.actual, joints, self.projection),)

    def motions(self) -> tuple[MotionSource, ...]:
        """Return the joints as they are."""
        return (MotionSource(layout.JOINTS, given=self.robot.actuable_indices),)

    def _update(self, model: RobotModel, state: TaskState) -> bool:
        joints = self.robot.actuable_indices
        # unlike "raise", this mode needs no buffer; the indices are right by construction
        model.state.position.take(joints, out=state.actual, mode="clip")
        model.state.velocity.take(joints, out=state.velocity, mode="clip")
        return True  # the rows are constant, and a model with other velocities there is not
