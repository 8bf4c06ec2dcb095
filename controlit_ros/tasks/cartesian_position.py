"""CartesianPosition: a point on a body goes to a point in space."""

import numpy as np

from controlit_ros.kernels import copy_motion
from controlit_ros.model.frame_point import FramePoint, cross, skew
from controlit_ros.model.robot_description import WORLD, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Kind, Quantity, Reader
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState


class CartesianPosition(Task):
    """Moves a control point of a body to a goal in the world or in another body's frame.

    With the control point at `p` and a frame at `o` with axes `R`, the actual value is
    `x = Rᵀ (p − o)` and `J = Rᵀ (J_p − J_o + [p − o]× J_ω)`; for the world `x = p`, `J = J_p`.
    """

    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3)
        self.body = self.declare_body()
        self.control_point = self.declare_vector(
            "control_point",
            (0.0, 0.0, 0.0),
            unit="m",
            quantity=Quantity.POINT,
            reader=Reader.TASK_UPDATER,
            description="the controlled point, in the body's frame",
        )
        self.frame = self.declare(
            "frame",
            WORLD,
            kind=Kind.TEXT,
            access=Access.CONFIGURATION,
            description="frame of goal and error: world, or a body that the goal moves with",
        )
        self.goal = self.declare_vector(
            "goal_position", (0.0, 0.0, 0.0), unit="m", quantity=Quantity.POINT
        )
        self.goal_velocity = self.declare_vector(
            "goal_velocity", (0.0, 0.0, 0.0), unit="m/s", description="feed-forward velocity"
        )
        self.goal_acceleration = self.declare_vector(
            "goal_acceleration",
            (0.0, 0.0, 0.0),
            unit="m/s²",
            description="feed-forward acceleration",
        )
        self.actual = self.declare_vector(
            "actual_position",
            (0.0, 0.0, 0.0),
            unit="m",
            quantity=Quantity.POINT,
            access=Access.OUTPUT,
        )
        self.controller = PIDController(self, 3)
        self._point = FramePoint(robot.nv)
        self._origin = FramePoint(robot.nv)
        self._body_frame = 0
        self._goal_frame: int | None = None

    def configure(self) -> None:
        """Resolve body and frame."""
        super().configure()
        self._body_frame = self.resolve_frame(self.body)
        self._goal_frame = None if self.frame.value == WORLD else self.resolve_frame(self.frame)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        point = self._point
        point.update(model, self._body_frame, self.control_point.value)
        if self._goal_frame is None:
            copy_motion(
                point.position,
                point.full_jacobian,
                point.twists,
                0,
                state.actual,
                state.jacobian,
                state.velocity,
                state.bias,
            )
        else:
            self._update_relative(model, self._goal_frame, state)

    def _update_relative(self, model: RobotModel, frame: int, state: TaskState) -> None:
        point, origin = self._point, self._origin
        origin.update(model, frame, np.zeros(3))
        to_frame = origin.rotation.T
        arm = point.position - origin.position
        omega = origin.angular_velocity
        relative_velocity = point.velocity - origin.velocity - cross(omega, arm)
        np.matmul(to_frame, arm, out=state.actual)
        jacobian = point.jacobian - origin.jacobian + skew(arm) @ origin.angular_jacobian
        np.matmul(to_frame, jacobian, out=state.jacobian)
        bias = (
            point.bias
            - origin.bias
            - cross(origin.angular_bias, arm)
            - cross(omega, cross(omega, arm))
            - 2.0 * cross(omega, relative_velocity)
        )
        np.matmul(to_frame, bias, out=state.bias)
        np.matmul(state.jacobian, model.v, out=state.velocity)
