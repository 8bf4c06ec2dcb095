"""Orientation2D: a direction fixed to a body points along a goal direction."""

import numpy as np

from controlit_ros.kernels import (
    GIVEN,
    BoundKernel,
    BoundKernels,
    heading_motion,
    relative_position,
)
from controlit_ros.kernels import motion_layout as layout
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import Body, RobotModel
from controlit_ros.parameters import Access, Reader
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.motion_source import MotionSource
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

_X_AXIS = (1.0, 0.0, 0.0)


class Orientation2D(Task):
    """Turns a body so that a vector fixed to it points along a goal vector; 2 degrees of freedom.

    Heading `h = R b` and goal g are unit vectors in the world, at the angle θ. The error is the way
    between them on the unit sphere, `e = θ t / |t|` with `t = g − (h·g) h` (`direction_error`): its
    length is the angle [rad], up to π, and `d(θ²/2)/dt = −e·ḣ` with `ḣ = J v`, `J = −[h]× J_ω`
    (three rows of rank two). `J̇ v = −[h]× α + ω × (ω × h)` with `α` the bias of the rotation. In
    another frame all are seen in its axes. Feed-forward is the rate of the goal vector, `ġ = ω × g`
    for a goal that turns at ω.
    """

    error_kind = ErrorKind.DIRECTION
    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3, ("x", "y", "z"))
        self.body = self.declare_body()
        self.body_vector = self.declare_vector(
            "body_vector",
            _X_AXIS,
            unit_length=True,
            reader=Reader.TASK_UPDATER,
            description="the direction fixed to the body, in its frame",
        )
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        self.goal = self.declare_vector(
            "goal_vector", _X_AXIS, unit_length=True, description="where it shall point"
        )
        self.declare_feed_forward(
            "1",
            "feed-forward: rate of the goal vector",
            "feed-forward: second derivative of the goal vector",
        )
        self.actual = self.declare_vector("actual_vector", _X_AXIS, access=Access.OUTPUT)
        self.controller = PIDController(self, 3, unit="rad")
        self._heading = np.zeros(3)
        self._jacobian = np.zeros((3, robot.nv))
        self._velocity = np.zeros(3)
        self._bias = np.zeros(3)
        self._motions: BoundKernels[Body] = BoundKernels()

    def motions(self) -> tuple[MotionSource, ...]:
        """Return the motion of the direction, if the goal is in the world."""
        heading = MotionSource(layout.HEADING, self._frame, self.body_vector.value)
        return (heading,) if self.goal_frame.is_world else ()

    def _update(self, model: RobotModel, state: TaskState) -> bool | None:
        is_world = self.goal_frame.is_world
        body = model.body(self._frame)
        motions = state.motions if is_world else self._motions
        motion = motions.get(body) or self._bind(body, state if is_world else None)
        is_finite: bool = motion(self.body_vector.value)
        if is_world:
            return is_finite
        frame = self.goal_frame.update(model, self.epoch)
        relative_position(
            self._heading,
            self._jacobian,
            self._velocity,
            self._bias,
            frame.rotation,
            frame.position,
            frame.full_jacobian,
            frame.twists,
            False,
            state.actual,
            state.jacobian,
            state.velocity,
            state.bias,
        )
        return None

    def _bind(self, body: Body, state: TaskState | None) -> BoundKernel:
        """Return what writes the motion to a state, or for another frame to where it is related."""
        motions = self._motions if state is None else state.motions
        results = (
            (self._heading, self._jacobian, self._velocity, self._bias)
            if state is None
            else (state.actual, state.jacobian, state.velocity, state.bias)
        )
        return motions.bind(body, heading_motion, *body.turning_motion, GIVEN, *results)
