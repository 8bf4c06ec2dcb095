"""CartesianPose: a frame of a body goes to a pose."""

import pinocchio as pin

from controlit_ros.kernels import (
    GIVEN,
    position_motion,
    relative_rotation,
    rotation_motion,
)
from controlit_ros.kernels import motion_layout as layout
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.relative_place import write_relative_place
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

COMPONENTS = ("x", "y", "z", "turn_x", "turn_y", "turn_z")
_IDENTITY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_PLACE, _TURN = slice(0, 3), slice(3, 6)


class CartesianPose(Task):
    """Moves a control point of a body to a place and turns the body, in six rows with one law.

    The rows are those of `CartesianPosition`, then those of `Orientation3D`, in the world or in
    another body's frame; so are actual value and error. A pose is `[x, y, z, qx, qy, qz, qw]`.
    Feed-forward is the goal's velocity, then its angular velocity. The error's length adds metres
    and radians.
    """

    error_kind = ErrorKind.POSE
    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        n = len(COMPONENTS)
        super().__init__(name, robot, n, COMPONENTS)
        self.body = self.declare_body()
        self.control_point = self.declare_point("the controlled point, in the body's frame")
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        pose = {"shape": (7,), "quantity": Quantity.POSE, "unit_length": True, "unit": "m"}
        self.goal = self.declare(
            "goal_pose", _IDENTITY, description="position, then quaternion xyzw", **pose
        )
        self.declare_feed_forward(
            "m, rad",
            "feed-forward velocity, then angular velocity",
            "feed-forward acceleration, then angular acceleration",
            shape=(n,),
            labels=COMPONENTS,
        )
        self.actual = self.declare("actual_pose", _IDENTITY, access=Access.OUTPUT, **pose)
        self.controller = PIDController(
            self, n, by_component=True, labels=COMPONENTS, unit="m, rad"
        )
        self._point = FramePoint(robot.nv)

    def motions(self) -> tuple[MotionSource, ...]:
        """Return the motion of the point and the rotation, if the goal is in the world."""
        if not self.goal_frame.is_world:
            return ()
        point, of_turn = self.control_point.value, slice(3, 7)
        return (
            MotionSource(layout.POINT, self._frame, point, _PLACE, slice(0, 3)),
            MotionSource(layout.ROTATION, self._frame, None, _TURN, of_turn),
        )

    def _update(self, model: RobotModel, state: TaskState) -> None:
        if self.goal_frame.is_world:
            self._write(model, state)
        else:
            self._point.update(model, self._frame, self.control_point.value)
            self._relate(self._point, self.goal_frame.update(model, self.epoch), state)

    def _write(self, model: RobotModel, state: TaskState) -> None:
        body = model.body(self._frame)
        place = state.motions.get(body) or state.motions.bind(
            body,
            position_motion,
            *body.point_motion,
            GIVEN,
            state.actual[:3],
            state.jacobian[_PLACE],
            state.velocity[_PLACE],
            state.bias[_PLACE],
        )
        place(self.control_point.value)
        turn = state.turns.get(body) or state.turns.bind(
            body,
            rotation_motion,
            *body.turning_motion,
            state.actual[3:],
            state.jacobian[_TURN],
            state.velocity[_TURN],
            state.bias[_TURN],
        )
        turn()

    @staticmethod
    def _relate(point: FramePoint, frame: FramePoint, state: TaskState) -> None:
        write_relative_place(
            frame,
            point.position,
            point.full_jacobian,
            point.full_velocity,
            point.full_bias,
            state,
            _PLACE,
        )
        state.actual[3:] = pin.Quaternion(frame.rotation.T @ point.rotation).coeffs()
        relative_rotation(
            point.full_jacobian,
            point.twists,
            frame.rotation,
            frame.full_jacobian,
            frame.twists,
            state.jacobian[_TURN],
            state.velocity[_TURN],
            state.bias[_TURN],
        )
