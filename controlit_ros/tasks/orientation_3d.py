"""Orientation3D: a body takes a full orientation."""

import numpy as np
import pinocchio as pin

from controlit_ros.kernels import motion_layout as layout
from controlit_ros.kernels import relative_rotation, rotation_motion
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

_IDENTITY = (0.0, 0.0, 0.0, 1.0)
_NO_OFFSET = np.zeros(3)


class Orientation3D(Task):
    """Turns a body's frame to a goal orientation; 3 degrees of freedom.

    Quaternions are xyzw; the error is the rotation vector from current to goal, the short way, in
    the axes of the goal's frame; `J = J_ω`, seen from that frame. Feed-forward is the goal's
    angular velocity and acceleration in the same axes.
    """

    error_kind = ErrorKind.ROTATION
    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3, ("x", "y", "z"))
        self.body = self.declare_body()
        quaternion = {"shape": (4,), "quantity": Quantity.QUATERNION, "unit_length": True}
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        self.goal = self.declare(
            "goal_orientation", _IDENTITY, description="quaternion xyzw", **quaternion
        )
        self.declare_feed_forward(
            "rad", "feed-forward angular velocity", "feed-forward angular acceleration"
        )
        self.actual = self.declare(
            "actual_orientation", _IDENTITY, access=Access.OUTPUT, **quaternion
        )
        self.controller = PIDController(self, 3, unit="rad")
        self._motion = FramePoint(robot.nv)

    def motions(self) -> tuple[MotionSource, ...]:
        """Return the rotation, if the goal is in the world."""
        return (MotionSource(layout.ROTATION, self._frame),) if self.goal_frame.is_world else ()

    def _update(self, model: RobotModel, state: TaskState) -> bool | None:
        if self.goal_frame.is_world:
            body = model.body(self._frame)
            bound = state.motions.get(body) or state.motions.bind(
                body,
                rotation_motion,
                *body.turning_motion,
                state.actual,
                state.jacobian,
                state.velocity,
                state.bias,
            )
            is_finite: bool = bound()
            return is_finite
        motion = self._motion
        motion.update(model, self._frame, _NO_OFFSET)
        frame = self.goal_frame.update(model, self.epoch)
        state.actual[:] = pin.Quaternion(frame.rotation.T @ motion.rotation).coeffs()
        relative_rotation(
            motion.full_jacobian,
            motion.twists,
            frame.rotation,
            frame.full_jacobian,
            frame.twists,
            state.jacobian,
            state.velocity,
            state.bias,
        )
        return None
