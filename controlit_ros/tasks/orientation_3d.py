"""Orientation3D: a body takes a full orientation."""

import numpy as np
import pinocchio as pin

from controlit_ros.kernels import copy_motion
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.quaternion import rotation_vector
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import Array, RobotModel
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task import ErrorKind, Task
from controlit_ros.tasks.task_state import TaskState

_IDENTITY = (0.0, 0.0, 0.0, 1.0)
_NO_OFFSET = np.zeros(3)


class Orientation3D(Task):
    """Turns a body's frame to a goal orientation; 3 degrees of freedom.

    Quaternions are xyzw; the error is the rotation vector from current to goal, the short way, in
    the world frame; `J = J_ω`.
    """

    error_kind = ErrorKind.ROTATION
    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3)
        self.body = self.declare_body()
        quaternion = {"shape": (4,), "quantity": Quantity.QUATERNION, "unit_length": True}
        self.goal = self.declare(
            "goal_orientation", _IDENTITY, description="quaternion xyzw, world", **quaternion
        )
        self.actual = self.declare(
            "actual_orientation", _IDENTITY, access=Access.OUTPUT, **quaternion
        )
        self.controller = PIDController(self, 3, unit="rad")
        self._motion = FramePoint(robot.nv)
        self._frame = 0

    def configure(self) -> None:
        """Resolve the body."""
        super().configure()
        self._frame = self.resolve_frame(self.body)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        motion = self._motion
        motion.update(model, self._frame, _NO_OFFSET)
        copy_motion(
            pin.Quaternion(motion.rotation).coeffs(),
            motion.full_jacobian,
            motion.twists,
            3,
            state.actual,
            state.jacobian,
            state.velocity,
            state.bias,
        )

    def _error(self, state: TaskState, error: Array) -> None:
        rotation_vector(state.actual, self.goal.value, out=error)
