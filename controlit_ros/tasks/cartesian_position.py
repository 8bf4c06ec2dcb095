"""CartesianPosition: a point on a body goes to a point in space."""

from controlit_ros.kernels import GIVEN, position_motion
from controlit_ros.kernels import motion_layout as layout
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.relative_place import write_relative_place
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState


class CartesianPosition(Task):
    """Moves a control point of a body to a goal in the world or in another body's frame.

    With the control point at `p` and a frame at `o` with axes `R`, the actual value is
    `x = Rᵀ (p − o)` and `J = Rᵀ (J_p − J_o + [p − o]× J_ω)`; for the world `x = p`, `J = J_p`.
    """

    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3, ("x", "y", "z"))
        self.body = self.declare_body()
        self.control_point = self.declare_point("the controlled point, in the body's frame")
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        self.goal = self.declare_vector(
            "goal_position", (0.0, 0.0, 0.0), unit="m", quantity=Quantity.POINT
        )
        self.declare_feed_forward("m")
        self.actual = self.declare_vector(
            "actual_position",
            (0.0, 0.0, 0.0),
            unit="m",
            quantity=Quantity.POINT,
            access=Access.OUTPUT,
        )
        self.controller = PIDController(self, 3)
        self._point = FramePoint(robot.nv)

    def motions(self) -> tuple[MotionSource, ...]:
        """Return the motion of the point, if the goal is in the world."""
        point = MotionSource(layout.POINT, self._frame, self.control_point.value)
        return (point,) if self.goal_frame.is_world else ()

    def _update(self, model: RobotModel, state: TaskState) -> bool | None:
        if self.goal_frame.is_world:
            body = model.body(self._frame)
            motion = state.motions.get(body) or state.motions.bind(
                body,
                position_motion,
                *body.point_motion,
                GIVEN,
                state.actual,
                state.jacobian,
                state.velocity,
                state.bias,
            )
            is_finite: bool = motion(self.control_point.value)
            return is_finite
        point = self._point
        point.update(model, self._frame, self.control_point.value)
        frame = self.goal_frame.update(model, self.epoch)
        write_relative_place(
            frame,
            point.position,
            point.full_jacobian,
            point.full_velocity,
            point.full_bias,
            state,
        )
        return None
